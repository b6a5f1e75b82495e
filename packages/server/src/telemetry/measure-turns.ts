import type { UpsertObject } from '@liminal/contracts';
import type { ChangeBody } from '@liminal/domain/delivery/change';
import { personsItemId } from '@liminal/domain/items/item-id';
import type { SessionBus } from '../bus/session-bus.ts';
import { type Tap, tapBus } from '../bus/tap-bus.ts';
import type { Telemetry, TurnTrace } from './telemetry.ts';

export type MeasureTurnsDeps = {
  readonly telemetry: Pick<Telemetry, 'turn'>;
  readonly agentOf: (sessionId: string) => string;
  /** An error while measuring. The session continues. */
  readonly onError: (error: unknown) => void;
};

/** Wraps the bus and measures the turns of its sessions by what they publish. */
export function measureTurns(bus: SessionBus, deps: MeasureTurnsDeps): SessionBus {
  const tapOf = (sessionId: string): Tap => {
    const watch = createTurnWatch(sessionId, deps);
    return (bodies) => bodies.forEach(watch);
  };
  return tapBus(bus, tapOf, deps.onError);
}

type OpenTurn = { readonly trace: TurnTrace; isAnswered: boolean; isStarted: boolean };

/** Turns one session's changes into measurements. Reads types, states, ids and counts, never texts. */
function createTurnWatch(sessionId: string, { telemetry, agentOf }: MeasureTurnsDeps): (body: ChangeBody) => void {
  const open = new Map<string, OpenTurn>();
  let lastEnded = '';
  const begin = (turnId: string): OpenTurn => {
    const trace = telemetry.turn({ sessionId, turnId, agent: agentOf(sessionId) });
    const turn = { trace, isAnswered: false, isStarted: false };
    open.set(turnId, turn);
    return turn;
  };
  const item = (upsert: UpsertObject): void => {
    const isPersons = upsert.type === 'message' && upsert.origin !== 'agent';
    // A turn begins when its message is passed to the agent.
    const isHandedOver = upsert.itemId === personsItemId(upsert.turnId) && upsert.turnId !== lastEnded;
    const turn = open.get(upsert.turnId) ?? (isHandedOver ? begin(upsert.turnId) : undefined);
    if (!turn || isPersons) return;
    if (!turn.isAnswered) {
      turn.isAnswered = true;
      turn.trace.firstToken();
    }
    if (upsert.type !== 'tool_call') return;
    turn.trace.toolBegan(upsert.callId, upsert.toolKind ?? 'other');
    if (upsert.status === 'complete') turn.trace.toolEnded(upsert.callId, upsert.toolOutputIsError !== true);
    if (upsert.status === 'error') turn.trace.toolEnded(upsert.callId, false);
  };

  return (body) => {
    switch (body.type) {
      case 'session:upsert':
        return item(body.payload);
      case 'session:turn': {
        const { payload } = body;
        if (payload.type === 'turn_started') {
          const turn = open.get(payload.turnId) ?? begin(payload.turnId);
          if (!turn.isStarted) turn.trace.started(payload.modelId);
          turn.isStarted = true;
          return;
        }
        // The end is published again once the changed files are known.
        const turn = open.get(payload.turnId);
        open.delete(payload.turnId);
        lastEnded = payload.turnId;
        const { usage } = payload;
        const how =
          payload.type === 'turn_error'
            ? { outcome: 'failed' as const, code: payload.errorCode }
            : { outcome: payload.status };
        turn?.trace.ended({ ...how, ...(usage && { usage }) });
        return;
      }
      case 'session:permission': {
        const { state, request } = body.payload;
        const trace = open.get(request.turnId)?.trace;
        if (state === 'open') trace?.asked(request.requestId);
        else trace?.answered(request.requestId);
        return;
      }
      case 'session:status':
      case 'session:queue':
      case 'session:comments':
      case 'session:changes':
      case 'session:info':
        return;
    }
  };
}
