import {
  BridgeEvent,
  BridgeResult,
  type BridgeArguments,
  type BridgeChannel,
  type BridgeMessage,
  type BridgeReply,
} from '@liminal/contracts';

/** The part of a WebSocket that the bridge uses. The browser's, Node's and `ws` all have it. */
export type BridgeSocket = {
  readonly readyState: number;
  send(data: string): void;
  addEventListener(type: 'open' | 'close', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
};

/** The result of a call. A refusal is a value; `not supported` means that the agent can't do it. */
export type BridgeAnswer<Channel extends BridgeChannel> =
  | ({ readonly success: true } & BridgeReply<Channel>)
  | { readonly success: false; readonly error: string; readonly code?: string | undefined };

type Listener = (message: BridgeMessage, taskId: string) => void;

export type AgentBridge = {
  invoke<Channel extends BridgeChannel>(
    channel: Channel,
    ...args: BridgeArguments<Channel>
  ): Promise<BridgeAnswer<Channel>>;
  /** Listens to the agent messages of one task or of all. The returned function stops it. */
  onMessage(listener: Listener): () => void;
  onMessage(taskId: string | undefined, listener: Listener): () => void;
};

const CONNECTING = 0;
const OPEN = 1;
const lost = { success: false, error: 'Disconnected before the server answered.' } as const;

/** For channel hosts: agent calls and messages over a socket that may carry other things as well. */
export function createAgentBridge(socket: BridgeSocket): AgentBridge {
  const waiting = new Map<string, (answer: BridgeAnswer<BridgeChannel>) => void>();
  const listeners = new Set<{ readonly taskId: string | undefined; readonly listener: Listener }>();
  const unsent: string[] = [];
  // Several bridges may share a socket. Each recognises its own answers by this prefix.
  const name = Math.random().toString(36).slice(2);
  let calls = 0;

  socket.addEventListener('open', () => {
    for (const frame of unsent.splice(0)) socket.send(frame);
  });
  socket.addEventListener('close', () => {
    unsent.length = 0;
    for (const answer of waiting.values()) answer(lost);
    waiting.clear();
  });
  socket.addEventListener('message', ({ data }) => {
    const message = parse(data);
    const result = BridgeResult.safeParse(message);
    if (result.success) {
      const { type: _type, id, ...answer } = result.data;
      waiting.get(String(id))?.(answer as BridgeAnswer<BridgeChannel>);
      waiting.delete(String(id));
      return;
    }
    const event = BridgeEvent.safeParse(message);
    if (!event.success) return;
    for (const { taskId, listener } of listeners) {
      if (taskId === undefined || taskId === event.data.taskId) listener(event.data.message, event.data.taskId);
    }
  });

  return {
    invoke: (channel, ...args) =>
      new Promise((resolve) => {
        if (socket.readyState !== OPEN && socket.readyState !== CONNECTING) return resolve(lost);
        const id = `${name}-${(calls += 1)}`;
        waiting.set(id, resolve as (answer: BridgeAnswer<BridgeChannel>) => void);
        const frame = JSON.stringify({ type: 'invoke', id, channel, args });
        if (socket.readyState === OPEN) socket.send(frame);
        else unsent.push(frame);
      }),
    onMessage(first: string | Listener | undefined, second?: Listener) {
      const listener = typeof first === 'function' ? first : second;
      if (!listener) throw new TypeError('onMessage needs a listener');
      const entry = { taskId: typeof first === 'function' ? undefined : first, listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
  };
}

function parse(data: unknown): unknown {
  // A socket with sessions carries far more than this, so parse only what can be ours.
  if (typeof data !== 'string' || !/^\{"type":"(?:result|event)"/.test(data)) return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
