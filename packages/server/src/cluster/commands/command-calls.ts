import { randomUUID } from 'node:crypto';
import { fail, type Result } from '@liminal/contracts';
import { CommandResult, commandVersion, type CommandArguments, type CommandName } from './commands.ts';
import type { Membership } from '../membership/membership.ts';
import type { NodeBook } from '../membership/node-book.ts';
import { readJson } from '../redis/read-json.ts';
import type { StreamEntry, StreamReader } from '../redis/stream-reader.ts';
import type { Seal } from '../membership/seal.ts';

export type CommandCallsDeps = {
  readonly membership: Pick<Membership, 'keys' | 'nodeId' | 'run' | 'standing' | 'time'>;
  readonly nodes: Pick<NodeBook, 'lifeOf' | 'nameOf' | 'presenceOf'>;
  readonly reader: Pick<StreamReader, 'watch'>;
  readonly seal: Seal;
  /** How long the other node has to take a command, and then to answer it. */
  readonly takeMs: number;
  readonly answerMs: number;
};

export type CommandCalls = ReturnType<typeof createCommandCalls>;

type Call = {
  readonly callId: string;
  readonly to: string;
  readonly name: CommandName;
  readonly args: string;
  /** The life id of the other node at the first attempt. */
  readonly life: string;
  readonly settle: (result: Result<unknown>) => void;
  /** The entry id in the other node's stream, or null if unknown. */
  entryId: string | null;
  tries: number;
  timer: NodeJS.Timeout | undefined;
};

const mostCommands = 10_000;
const unknown =
  'The request may or may not have been carried out. A message resent with the same clientMessageId is sent only once.';

/**
 * Sends commands to other nodes. A command runs at most once: if nobody takes it in time, it is withdrawn. If it may
 * have been lost with Redis, it is sent again under the same id, which its owner remembers.
 */
export function createCommandCalls({ membership, nodes, reader, seal, takeMs, answerMs }: CommandCallsDeps) {
  const { keys, nodeId } = membership;
  const inbox = keys.inbox(nodeId);
  const waiting = new Map<string, Call>();

  const hear = (entries: readonly StreamEntry[]): void => {
    // Replies can be large, and nobody else reads them.
    membership.run(['XDEL', inbox, ...entries.map(({ id }) => id)]).catch(() => {});
    for (const { fields } of entries) {
      const { t: type, id: callId = '', b: body = '', m: mac = '' } = fields;
      if (type !== 'reply' || !seal.holds(mac, 'reply', nodeId, callId, body)) continue;
      const result = readJson(CommandResult, body);
      const newer = fail('NOT_SUPPORTED', "That machine's response isn't supported here. Update this machine.");
      waiting.get(callId)?.settle((result as Result<unknown> | undefined) ?? newer);
    }
  };
  const unreachable = (to: string, sentence: string): Result<never> =>
    fail('NODE_UNREACHABLE', `${nodes.nameOf(to)} ${sentence}`);

  const send = async (call: Call): Promise<void> => {
    const { callId, to, name, args } = call;
    call.tries += 1;
    call.entryId = null;
    clearTimeout(call.timer);
    call.timer = setTimeout(() => void giveUp(call), takeMs);
    const [version, wait, at] = [String(commandVersion), String(takeMs), String(membership.time())];
    // Signed for this run of the other node and this time, so a replayed command doesn't run again.
    const mac = seal.sign('command', to, version, callId, nodeId, name, args, wait, call.life, at);
    const named = { v: version, id: callId, from: nodeId, n: name, a: args, w: wait, l: call.life, at, m: mac };
    const fields = Object.entries(named).flat();
    const added = ['XADD', keys.commands(to), 'MAXLEN', '~', String(mostCommands), '*', ...fields];
    try {
      call.entryId = String(await membership.run(added));
    } catch {
      // The connection broke. The next join sends it again, unless the time is up.
    }
  };
  /** No answer came in time. Withdraws the command if it still waits, so it never runs. */
  const giveUp = async (call: Call): Promise<void> => {
    const { to, entryId, tries, settle } = call;
    const removed =
      entryId === null ? null : await membership.run(['XDEL', keys.commands(to), entryId]).catch(() => null);
    if (removed === 1 && tries === 1) {
      return settle(unreachable(to, "didn't respond in time. Nothing was done. Try again."));
    }
    if (removed !== 0) return settle(unreachable(to, `couldn't be reached. ${unknown}`));
    call.timer = setTimeout(() => settle(unreachable(to, `didn't respond. ${unknown}`)), answerMs);
  };

  return {
    /** Reads replies from now on, and sends unanswered commands again. */
    async join(): Promise<void> {
      if (waiting.size === 0) await membership.run(['XTRIM', inbox, 'MAXLEN', '0']);
      reader.watch(inbox, '0-0', hear);
      for (const call of waiting.values()) void send(call);
    },
    async call<Name extends CommandName>(
      to: string,
      name: Name,
      ...args: CommandArguments<Name>
    ): Promise<Result<unknown>> {
      const { state, reason } = membership.standing();
      if (state !== 'joined') return unreachable(to, `can't be reached right now. ${reason ?? ''}`.trim());
      if (nodes.presenceOf(to) === 'gone') {
        return unreachable(to, 'is gone. Nothing was done. Try again when it is back.');
      }
      const { promise, resolve } = Promise.withResolvers<Result<unknown>>();
      const call: Call = {
        callId: randomUUID(),
        to,
        name,
        args: JSON.stringify(args),
        life: nodes.lifeOf(to),
        settle: resolve,
        entryId: null,
        tries: 0,
        timer: undefined,
      };
      waiting.set(call.callId, call);
      await send(call);
      const result = await promise;
      clearTimeout(call.timer);
      waiting.delete(call.callId);
      return result;
    },
  };
}
