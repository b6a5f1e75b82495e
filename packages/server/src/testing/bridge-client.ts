import { type BridgeAnswer, type BridgeSocket, createAgentBridge } from '@liminal/client/agent-bridge';
import type { BridgeChannel, BridgeMessage } from '@liminal/contracts';
import { connectSocket } from './socket-client.ts';

export type BridgeClient = Awaited<ReturnType<typeof bridgeClient>>;

/** A channel host with its own socket. It keeps everything it receives. */
export async function bridgeClient(port: number) {
  const socket = await connectSocket(port);
  const bridge = createAgentBridge(socket.socket as unknown as BridgeSocket);
  const messages: { readonly taskId: string; readonly message: BridgeMessage }[] = [];
  bridge.onMessage((message, taskId) => void messages.push({ taskId, message }));
  const of = (taskId: string): BridgeMessage[] =>
    messages.flatMap((each) => (each.taskId === taskId ? [each.message] : []));
  const invokeAny = bridge.invoke as unknown as (
    channel: string,
    ...args: unknown[]
  ) => Promise<BridgeAnswer<BridgeChannel>>;
  return {
    of,
    invoke: bridge.invoke,
    /** A call that may be invalid. */
    raw: (channel: string, args: unknown[]) => invokeAny(channel, ...args),
    async next(taskId: string, fits: (message: BridgeMessage) => boolean): Promise<BridgeMessage> {
      await socket.next((each) => each.type === 'event' && each.taskId === taskId && fits(each.message));
      return of(taskId).find(fits) as BridgeMessage;
    },
    close: () => socket.close(),
  };
}
