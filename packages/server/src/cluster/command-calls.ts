import { randomUUID } from 'node:crypto';
import { fail, type Result } from '@liminal/contracts';
import { CommandResult, commandVersion, type CommandArguments, type CommandName } from './commands.ts';
import type { Membership } from './membership.ts';
import type { NodeBook } from './node-book.ts';
import { readJson } from './redis/read-json.ts';
import type { StreamEntry, StreamReader } from './redis/stream-reader.ts';
import type { Seal } from './seal.ts';

export type CommandCallsDeps = {
  readonly membership: Membership;
  readonly nodes: NodeBook;
  readonly reader: StreamReader;
  readonly seal: Seal;
  /** How long the other node has to take a command up, and then to answer it. */
  readonly takeMs: number;
  readonly answerMs: number;
};

export type CommandCalls = ReturnType<typeof createCommandCalls>;
type Waiting = { settle(result: Result<unknown>): void };

const mostCommands = 10_000;

/** Asks other nodes. A command is done at most once; one that nobody took up in time is taken back and never done. */
export function createCommandCalls({ membership, nodes, reader, seal, takeMs, answerMs }: CommandCallsDeps) {
  const { keys, nodeId } = membership;
  const waiting = new Map<string, Waiting>();

  const hear = (entries: readonly StreamEntry[]): void => {
    for (const { fields } of entries) {
      const { t: type, id: callId = '', b: body = '', m: mac = '' } = fields;
      if (type !== 'reply' || !seal.holds(mac, 'reply', nodeId, callId, body)) continue;
      const result = readJson(CommandResult, body);
      const newer = fail('NOT_SUPPORTED', 'That machine answered in a way this one does not know. Update this one.');
      waiting.get(callId)?.settle((result as Result<unknown> | undefined) ?? newer);
    }
  };
  const unreachable = (to: string, sentence: string): Result<never> =>
    fail('NODE_UNREACHABLE', `${nodes.nameOf(to)} ${sentence}`);

  const send = async (to: string, callId: string, name: CommandName, args: readonly unknown[]): Promise<string> => {
    const [version, list, wait] = [String(commandVersion), JSON.stringify(args), String(takeMs)];
    const mac = seal.sign('command', to, version, callId, nodeId, name, list, wait);
    const fields = ['v', version, 'id', callId, 'from', nodeId, 'n', name, 'a', list, 'w', wait, 'm', mac];
    const stream = keys.commands(to);
    return String(await membership.run(['XADD', stream, 'MAXLEN', '~', String(mostCommands), '*', ...fields]));
  };
  /** True when it was still there: then nobody will ever do it. */
  const takeBack = async (to: string, entryId: string): Promise<boolean | null> => {
    try {
      return (await membership.run(['XDEL', keys.commands(to), entryId])) === 1;
    } catch {
      return null;
    }
  };

  return {
    /** Reads answers from now on; those to calls of an earlier connection may still come. */
    async join(): Promise<void> {
      const inbox = keys.inbox(nodeId);
      const last = (await membership.run(['XREVRANGE', inbox, '+', '-', 'COUNT', '1'])) as readonly [string][];
      reader.watch(inbox, waiting.size > 0 ? (reader.lastId(inbox) ?? '0-0') : (last[0]?.[0] ?? '0-0'), hear);
    },
    async call<Name extends CommandName>(
      to: string,
      name: Name,
      ...args: CommandArguments<Name>
    ): Promise<Result<unknown>> {
      const { state, reason } = membership.standing();
      if (state !== 'joined') return unreachable(to, `cannot be seen from here now. ${reason ?? ''}`.trim());
      if (nodes.presenceOf(to) === 'gone')
        return unreachable(to, 'is gone. Nothing was done; try again when it is back.');
      const callId = randomUUID();
      const { promise, resolve } = Promise.withResolvers<Result<unknown>>();
      let timer: NodeJS.Timeout | undefined;
      waiting.set(callId, { settle: resolve });
      try {
        const entryId = await send(to, callId, name, args);
        timer = setTimeout(async () => {
          const back = await takeBack(to, entryId);
          if (back === true)
            return resolve(unreachable(to, 'did not take it up in time. Nothing was done; try again.'));
          timer = setTimeout(() => {
            const sentence =
              'did not answer. It is not known whether it was done; a message sent again with the same clientMessageId is sent once.';
            resolve(unreachable(to, sentence));
          }, answerMs);
        }, takeMs);
        return await promise;
      } catch {
        return unreachable(to, 'could not be asked: the way through Redis broke. It is not known whether it was done.');
      } finally {
        clearTimeout(timer);
        waiting.delete(callId);
      }
    },
  };
}
