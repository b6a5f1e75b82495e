import type { BridgeArguments, BridgeChannel, BridgeMessage, BridgeReply, ServerMessage } from '@liminal/contracts';
import { connectSocket } from './socket-client.ts';

type Answer<Channel extends BridgeChannel> =
  | ({ success: true } & BridgeReply<Channel>)
  | { success: false; error: string; code?: string };
type Result = Extract<ServerMessage, { type: 'result' }>;

export type BridgeClient = Awaited<ReturnType<typeof bridgeClient>>;

/** A channel host over a socket of its own; it keeps everything it is told. */
export async function bridgeClient(port: number) {
  const socket = await connectSocket(port);
  let calls = 0;
  const raw = async (channel: string, args: unknown[]): Promise<Record<string, unknown>> => {
    const id = (calls += 1);
    socket.say({ type: 'invoke', id, channel, args });
    const isAnswer = (message: ServerMessage): message is Result => message.type === 'result' && message.id === id;
    const { type: _type, id: _id, ...answer } = await socket.next(isAnswer);
    return answer;
  };
  const of = (taskId: string): BridgeMessage[] =>
    socket.messages.flatMap((told) => (told.type === 'event' && told.taskId === taskId ? [told.message] : []));
  return {
    raw,
    of,
    invoke: async <Channel extends BridgeChannel>(channel: Channel, ...args: BridgeArguments<Channel>) =>
      (await raw(channel, args)) as Answer<Channel>,
    async next(taskId: string, fits: (message: BridgeMessage) => boolean): Promise<BridgeMessage> {
      await socket.next((told) => told.type === 'event' && told.taskId === taskId && fits(told.message));
      return of(taskId).find(fits) as BridgeMessage;
    },
    close: () => socket.close(),
  };
}
