import {
  bridgeArguments,
  type BridgeChannel,
  type BridgeInvoke,
  type BridgeResult,
  type Failure,
  type Result,
} from '@liminal/contracts';
import { z } from 'zod';
import type { SessionBus } from '../bus/session-bus.ts';
import type { Pump } from '../delivery/pump.ts';
import type { BridgeTasks, TaskChange } from './bridge-tasks.ts';
import { type BridgeSubscription, createBridgeSubscription } from './bridge-subscription.ts';

export type BridgeConnectionDeps = {
  readonly tasks: BridgeTasks;
  readonly bus: SessionBus;
  readonly pump: Pick<Pump, 'add' | 'remove' | 'wake'>;
  /** Loads a session into memory so it can be followed. */
  readonly open: (sessionId: string) => boolean;
  readonly maxBytes: number;
  readonly say: (result: BridgeResult) => void;
  readonly onError: (error: unknown) => void;
};

export type BridgeConnectionHandler = { invoke(message: BridgeInvoke): void; close(): void };

/** One host's subscriptions for one task: the active one, and all it has had, which remember their positions. */
type Listener = {
  active: BridgeSubscription | null;
  readonly known: Map<string, BridgeSubscription>;
  /** How many calls of the host aren't answered yet. */
  calls: number;
};

/** The bridge on one socket. It answers the host's calls and forwards events of every task the host has called. */
export function createBridgeConnection(deps: BridgeConnectionDeps): BridgeConnectionHandler {
  const { tasks, pump, say } = deps;
  const listeners = new Map<string, Listener>();

  const subscriptionFor = (listener: Listener, taskId: string, sessionId: string): BridgeSubscription => {
    const known = listener.known.get(sessionId);
    if (known) return known;
    const { bus, maxBytes, onError } = deps;
    const made = createBridgeSubscription({ taskId, sessionId, bus, maxBytes, wake: pump.wake, onError });
    listener.known.set(sessionId, made);
    return made;
  };
  const turnTo = (listener: Listener, { taskId, sessionId, replay }: TaskChange): void => {
    const next = sessionId === null ? null : subscriptionFor(listener, taskId, sessionId);
    if (next === listener.active && !replay) return;
    if (listener.active) pump.remove(listener.active);
    listener.active?.stop();
    listener.active = next;
    if (!next || sessionId === null || !deps.open(sessionId) || !next.start(replay)) return;
    pump.add(next);
    pump.wake();
  };
  const unfollow = tasks.follow((change) => {
    const listener = listeners.get(change.taskId);
    if (listener) turnTo(listener, change);
  });
  /** After its first call, a host receives the task's events, even if a host on another socket connected the task. */
  const listen = (taskId: string): Listener => {
    const known = listeners.get(taskId);
    if (known) return known;
    const listener: Listener = { active: null, known: new Map(), calls: 0 };
    listeners.set(taskId, listener);
    turnTo(listener, { taskId, sessionId: tasks.activeSession(taskId), replay: false });
    return listener;
  };

  const call = async (channel: string, args: readonly unknown[]): Promise<Omit<BridgeResult, 'type' | 'id'>> => {
    if (!isChannel(channel)) return { success: false, error: 'not supported', code: 'NOT_SUPPORTED' };
    const parsed = bridgeArguments[channel].safeParse(args);
    if (!parsed.success) {
      return refusal({ code: 'INVALID_REQUEST', message: `${channel}: ${z.prettifyError(parsed.error)}` });
    }
    const [taskId] = parsed.data;
    const listener = listen(taskId);
    // The tables of handlers and arguments have the same keys, but the compiler can't infer that.
    const handle = tasks.handlers[channel] as (given: unknown) => Promise<Result<object>>;
    listener.calls += 1;
    try {
      const done = await handle(parsed.data);
      return done.ok ? { success: true, ...done.value } : refusal(done.failure);
    } finally {
      listener.calls -= 1;
      // Another call may be about to connect the task again.
      if (listener.calls === 0 && !tasks.isConnected(taskId)) listeners.delete(taskId);
    }
  };

  return {
    invoke({ id, channel, args }) {
      call(channel, args).then(
        (result) => say({ type: 'result', id, ...result } as BridgeResult),
        (error: unknown) => {
          deps.onError(error);
          const sentence = "Internal server error. The server's log has the details.";
          say({ type: 'result', id, success: false, error: sentence, code: 'INTERNAL_ERROR' });
        },
      );
    },
    close() {
      unfollow();
      for (const { active } of listeners.values()) active?.stop();
      listeners.clear();
    },
  };
}

const isChannel = (channel: string): channel is BridgeChannel => Object.hasOwn(bridgeArguments, channel);

/** Unsupported calls always get the same error text. */
const refusal = ({ code, message }: Failure) => ({
  success: false,
  error: code === 'NOT_SUPPORTED' ? 'not supported' : message,
  code,
});
