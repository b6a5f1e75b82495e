import { fail, type Result } from '@liminal/contracts';
import { z } from 'zod';
import type { Logger } from '../../observe/logger.ts';
import {
  commandArguments,
  commandVersion,
  isCommandName,
  type CommandArguments,
  type CommandName,
} from './commands.ts';
import type { Membership } from '../membership/membership.ts';
import { isRefusal } from '../redis/explain-redis.ts';
import type { RedisConnection } from '../redis/redis-client.ts';
import { redisScript } from '../redis/run-script.ts';
import type { Seal } from '../membership/seal.ts';

/** Runs a command with this node's own service. */
export type Performer = { [Name in CommandName]: (...args: CommandArguments<Name>) => Promise<Result<unknown>> };

export type CommandInboxDeps = {
  readonly membership: Membership;
  readonly seal: Seal;
  /** New with every start of this server, because it forgets earlier commands. */
  readonly life: string;
  readonly perform: Performer;
  readonly log: Logger;
};

/**
 * KEYS the stream of commands. ARGV the group, the entry, the wait time. Taking a command removes it, so it runs at
 * most once. A command that was withdrawn, or is older than its sender waits, isn't taken.
 */
const takeScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
local sent = tonumber(string.match(ARGV[2], '^%d+'))
local taken = redis.call('XDEL', KEYS[1], ARGV[2])
if now - sent > tonumber(ARGV[3]) then return 0 end
return taken
`);

const group = 'owner';
const blockMs = 3_000;
/** How long a reply is kept after it was written. A caller asks again while it waits, which is shorter. */
const answerMs = 60_000;
const forgotten = fail(
  'NODE_UNREACHABLE',
  'The machine restarted in the meantime. The request may or may not have been carried out.',
);
/** Tolerance beyond the time the sender waits, for slow connections and clock drift. */
const latestMs = 15_000;
const rememberMs = 600_000;
const late = fail('NODE_UNREACHABLE', "The request reached the machine too late and wasn't carried out. Try again.");
const mostReplies = 5_000;
const [replyTries, replyAgainMs] = [40, 250];
type Entry = readonly [id: string, fields: readonly string[] | null];

/** Runs the commands that other nodes send to this one, and replies. */
export function createCommandInbox({ membership, seal, life, perform, log }: CommandInboxDeps) {
  const { keys, nodeId } = membership;
  let generation = 0;
  /** Recent replies: a caller that lost its connection asks again and gets the same one. */
  const answers = new Map<string, Promise<Result<unknown>>>();
  /** When each command ran, oldest first. Kept until a replay would be too late anyway. */
  const done = new Map<string, number>();
  const remember = (callId: string, answer: Promise<Result<unknown>>): void => {
    answers.set(callId, answer);
    if (!done.has(callId)) done.set(callId, performance.now());
    for (const [first, at] of done) {
      if (performance.now() - at < rememberMs) break;
      done.delete(first);
    }
  };

  /** Retries for a while: Redis may be down for a moment, and the command has already run. */
  const reply = async (to: string, callId: string, result: Result<unknown>, tries = replyTries): Promise<void> => {
    const body = JSON.stringify(result);
    const mac = seal.sign('reply', to, callId, body);
    const fields = ['t', 'reply', 'id', callId, 'b', body, 'm', mac];
    try {
      await membership.run(['XADD', keys.inbox(to), 'MAXLEN', '~', String(mostReplies), '*', ...fields]);
    } catch (error) {
      if (tries === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, replyAgainMs).unref());
      await reply(to, callId, result, tries - 1);
    }
  };

  const execute = async (name: string, args: unknown): Promise<Result<unknown>> => {
    if (!isCommandName(name))
      return fail('NOT_SUPPORTED', `This machine doesn't support the command "${name}". Update it.`);
    const parsed = commandArguments(name).safeParse(args);
    if (!parsed.success) return fail('INVALID_REQUEST', z.prettifyError(parsed.error));
    const run = perform[name] as (...given: readonly unknown[]) => Promise<Result<unknown>>;
    try {
      return await run(...(parsed.data as readonly unknown[]));
    } catch (error) {
      log.error({ err: error, command: name }, 'command from another machine failed');
      return fail('INTERNAL_ERROR', 'Internal error on that machine. Its log has the details.');
    }
  };

  const handle = async ([entryId, list]: Entry): Promise<void> => {
    const fields = fieldsOf(list ?? []);
    const { v: version = '', id: callId = '', from = '', n: name = '', a: args = '', w: waitMs = '0', m: mac } = fields;
    const { l: meantFor = '', at = '' } = fields;
    const taken = await membership.script(takeScript, [keys.commands(nodeId)], [group, entryId, waitMs]);
    if (taken !== 1) return;
    if (!seal.holds(mac ?? '', 'command', nodeId, version, callId, from, name, args, waitMs, meantFor, at)) {
      log.warn({ from, command: name }, 'ignored a command with an invalid signature');
      return;
    }
    if (Number(version) > commandVersion) {
      log.warn({ from, version }, 'ignored a command from a newer version; update this machine');
      return reply(
        from,
        callId,
        fail('NOT_SUPPORTED', 'The machine of this session runs an older version. Update it.'),
      );
    }
    // An earlier run of this node may have done it, and this one can't know.
    if (meantFor !== life) return reply(from, callId, forgotten);
    if (Math.abs(membership.time() - Number(at)) > Number(waitMs) + latestMs) return reply(from, callId, late);
    const known = answers.get(callId);
    if (!known && done.has(callId)) return reply(from, callId, forgotten);
    const answer = known ?? execute(name, parseJson(args));
    remember(callId, answer);
    try {
      await reply(from, callId, await answer);
    } finally {
      // `done` still prevents a second run.
      setTimeout(() => answers.delete(callId), answerMs).unref();
    }
  };

  const read = async (connection: RedisConnection, from: string): Promise<readonly Entry[]> => {
    const stream = keys.commands(nodeId);
    const options = ['COUNT', '50', 'BLOCK', String(blockMs), 'STREAMS', stream, from];
    const found = await connection.run(['XREADGROUP', 'GROUP', group, nodeId, ...options]);
    return (found as readonly (readonly [string, readonly Entry[]])[] | null)?.[0]?.[1] ?? [];
  };
  const loop = async (connection: RedisConnection, mine: number): Promise<void> => {
    // First the commands that an earlier run received and didn't process.
    let from = '0';
    while (mine === generation) {
      const entries = await read(connection, from);
      // Commands read but not taken wait for the next join, or are withdrawn.
      if (mine !== generation) return;
      if (from === '0') from = '>';
      for (const entry of entries) {
        // Started in order, without waiting for each other.
        handle(entry).catch((error: unknown) => log.warn({ err: error }, "couldn't reply to a command"));
      }
    }
  };

  return {
    async join(connection: RedisConnection): Promise<void> {
      const create = ['XGROUP', 'CREATE', keys.commands(nodeId), group, '0', 'MKSTREAM'];
      await membership.run(create).catch((error: unknown) => {
        if (!(error instanceof Error) || !error.message.startsWith('BUSYGROUP')) throw error;
      });
      const mine = (generation += 1);
      loop(connection, mine).catch((error: unknown) => {
        // Rejoin: otherwise we would seem present but never receive a command.
        if (mine === generation && isRefusal(error)) membership.broke(error);
      });
    },
    stop(): void {
      generation += 1;
    },
  };
}

export function fieldsOf(list: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let place = 0; place < list.length; place += 2) fields[list[place] ?? ''] = list[place + 1] ?? '';
  return fields;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
