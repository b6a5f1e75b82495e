import type { SessionInfo, UpsertObject } from '@liminal/contracts';
import type { AgentSignal } from '@liminal/domain/session/agent-signal';
import type { UpsertListener } from '../../providers/provider.ts';
import type { AgentListeners } from './agent-link.ts';
import type { Mailbox } from './mailbox.ts';
import type { ChangePlacer } from './place-changes.ts';

export type AgentListenerDeps = {
  readonly mailbox: Mailbox;
  readonly changes: ChangePlacer;
  readonly onItem: UpsertListener;
  readonly onInfo: (patch: SessionInfo) => void;
  readonly onSignal: (signal: AgentSignal) => void;
  readonly onError: (error: unknown) => void;
};

/**
 * Brings what an agent says into the session in the order it says it. Whatever changes a file waits until the file has
 * been read.
 */
export function agentListeners(deps: AgentListenerDeps): AgentListeners {
  const { mailbox, changes, onItem, onInfo, onSignal } = deps;
  const { post } = mailbox;
  const run = (task: () => Promise<void>): void => void mailbox.run(task).catch(deps.onError);
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
      if (!hasChanges(upsert)) return post(() => onItem(upsert, how));
      run(async () => onItem(await changes.placed(upsert), how));
    },
    turn: (event) => post(() => onSignal({ type: 'turn', event })),
    permission(signal) {
      if (signal.state === 'ended') {
        const { requestId, reason } = signal;
        return post(() => onSignal({ type: 'permission-ended', requestId, reason }));
      }
      const { request } = signal;
      if ((request.diffs ?? []).length === 0) return post(() => onSignal({ type: 'permission-opened', request }));
      run(async () => onSignal({ type: 'permission-opened', request: await changes.asked(request) }));
    },
    info: (patch) => post(() => onInfo(patch)),
    closed: (error) => post(() => onSignal({ type: 'process-closed', error })),
  };
}
