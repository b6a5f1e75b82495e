import type { SessionInfo, TurnEvent, UpsertObject } from '@liminal/contracts';
import { beginTurn, closeTurn } from '@liminal/domain/session/close-turn';
import type { AgentFact } from '@liminal/domain/session/fact';
import { withRefusal } from '@liminal/domain/session/refused-calls';
import type { Session } from '@liminal/domain/session/session';
import type { ProviderError } from '../../providers/provider-error.ts';
import type { PermissionSignal, UpsertListener } from '../../providers/provider.ts';
import type { AgentListeners } from './agent-link.ts';
import type { ChangePlacer } from './place-changes.ts';

export type Hearing = {
  readonly session: () => Session;
  readonly now: () => string;
  /** Runs a task in its place among the other things of the session. */
  readonly post: (task: () => void) => void;
  /** The same for a task that has to look something up first. */
  readonly run: (task: () => Promise<void>) => void;
  readonly changes: ChangePlacer;
  readonly take: UpsertListener;
  readonly learn: (patch: SessionInfo) => void;
  readonly accept: (facts: readonly AgentFact[]) => void;
  readonly endTurn: (turnId: string, reason: ProviderError) => void;
};

/** Makes facts of what an agent says, in the order it says it; what does not fit the session as it stands is dropped. */
export function hearAgent(hearing: Hearing): AgentListeners {
  const { session, now, post, run, changes, take, learn, accept, endTurn } = hearing;
  const turn = (event: TurnEvent): void => {
    const isStart = event.type === 'turn_started';
    accept(isStart ? beginTurn(session(), event, now()) : closeTurn(session(), event, now()));
  };
  const permission = (signal: PermissionSignal): void => {
    if (signal.state === 'open') {
      const { request } = signal;
      if ((request.diffs ?? []).length === 0) return post(() => accept([{ type: 'permission-opened', request }]));
      return run(async () => accept([{ type: 'permission-opened', request: await changes.asked(request) }]));
    }
    const { requestId, reason } = signal;
    post(() => {
      const isOpen = session().permissions.some((open) => open.requestId === requestId);
      if (isOpen) accept([{ type: 'permission-ended', requestId, reason }]);
    });
  };
  const closed = (reason: ProviderError): void => {
    const { agentTurn, turn: ours } = session();
    for (const turnId of [agentTurn, ours?.turnId]) if (typeof turnId === 'string') endTurn(turnId, reason);
    accept([{ type: 'process-closed', error: { code: reason.code, message: reason.message, at: now() } }]);
  };
  /** What cannot even be looked at fails inside the mailbox, where it is the trouble of this session alone. */
  const hasChanges = (upsert: UpsertObject): boolean => {
    try {
      return changes.concerns(upsert);
    } catch {
      return false;
    }
  };
  return {
    upsert(upsert, how) {
      if (!hasChanges(upsert)) return post(() => take(withRefusal(session(), upsert), how));
      run(async () => take(withRefusal(session(), await changes.placed(upsert)), how));
    },
    turn: (event) => post(() => turn(event)),
    permission,
    info: (patch) => post(() => learn(patch)),
    closed: (reason) => post(() => closed(reason)),
  };
}
