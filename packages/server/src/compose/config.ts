import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ClusterConfig, readClusterConfig } from '../cluster/membership/cluster-config.ts';
import { parseFlags, usage } from './flags.ts';

export type Config = {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly open: boolean;
  readonly json: boolean;
  readonly token: string | null;
  readonly logLevel: string;
  /** Agents idle for this long are put to sleep. */
  readonly idleMs: number;
  readonly maxLiveAgents: number;
  /** The address people open, if it differs from where the server listens. */
  readonly publicUrl: string | null;
  /** Cluster settings, or null for a machine that works alone. */
  readonly cluster: ClusterConfig | null;
};

export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly sentence: string };

const defaultPort = 4747;
const logLevels = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']);
const loopback = new Set(['127.0.0.1', 'localhost', '::1']);
export const isLoopback = (host: string): boolean => loopback.has(host);

/** Reads flags and environment variables. An invalid value gives an error message that says what to do. */
export function readConfig(args: readonly string[], env: NodeJS.ProcessEnv): ConfigResult {
  const wrong = (sentence: string): ConfigResult => ({ ok: false, sentence: `${sentence}\nUsage: ${usage}` });
  const flags = parseFlags(args);
  if (typeof flags === 'string') return wrong(flags);
  // An empty variable counts as unset. An empty flag is a mistake, such as a shell variable that isn't set.
  const givenPort = flags.port ?? (env['LIMINAL_PORT'] || `${defaultPort}`);
  const port = givenPort.trim() === '' ? NaN : Number(givenPort);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    return wrong(`"${givenPort}" isn't a valid port. Use a number from 0 to 65535; 0 picks a free one.`);
  }
  if (flags['data-dir'] === '') return wrong('--data-dir is empty. Set it to a directory, or omit it.');
  const host = flags.host ?? '127.0.0.1';
  const token = env['LIMINAL_TOKEN'] || null;
  const weakness = token === null ? null : weaknessOf(token);
  if (weakness !== null) {
    return wrong(
      `LIMINAL_TOKEN is easy to guess: ${weakness}. Use at least 16 random characters, such as the output of "openssl rand -hex 32", or unset it.`,
    );
  }
  if (!isLoopback(host) && token === null) {
    return wrong(
      `With --host ${host}, other machines can reach your agents. To allow it, set LIMINAL_TOKEN to a long secret. Otherwise omit --host.`,
    );
  }
  const idleMinutes = positive(env['LIMINAL_IDLE_MINUTES'] || '15');
  const maxLiveAgents = positive(env['LIMINAL_MAX_AGENTS'] || '8');
  if (idleMinutes === null) return wrong('LIMINAL_IDLE_MINUTES must be a number above 0.');
  if (maxLiveAgents === null) return wrong('LIMINAL_MAX_AGENTS must be a number above 0.');
  const codex = env['LIMINAL_CODEX'] || 'native';
  if (codex !== 'native' && codex !== 'acp') return wrong('LIMINAL_CODEX must be "native" or "acp", or unset.');
  const publicUrl = env['LIMINAL_PUBLIC_URL'] || null;
  if (publicUrl !== null && !(URL.canParse(publicUrl) && /^https?:\/\/[^/?#]+(\/[^?#]*)?$/.test(publicUrl))) {
    return wrong('LIMINAL_PUBLIC_URL must be the address people open, like https://example.org/agents/.');
  }
  const logLevel = env['LIMINAL_LOG'] || 'warn';
  if (!logLevels.has(logLevel)) return wrong(`LIMINAL_LOG must be one of ${[...logLevels].join(', ')}, or unset.`);
  const cluster = readClusterConfig(flags, env);
  if (!cluster.ok) return wrong(cluster.sentence);
  return {
    ok: true,
    config: {
      port,
      host,
      dataDir: resolve(flags['data-dir'] ?? (env['LIMINAL_DATA_DIR'] || join(homedir(), '.liminal-builder'))),
      open: !flags['no-open'] && !flags.json,
      json: flags.json ?? false,
      token,
      logLevel,
      idleMs: idleMinutes * 60_000,
      maxLiveAgents,
      publicUrl,
      cluster: cluster.cluster,
    },
  };
}

function positive(text: string): number | null {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? value : null;
}

const unencrypted = [
  "This connection isn't encrypted: anyone on the network can read it, the token included, and use your agents.",
  'Put TLS in front: leave --host out, run a reverse proxy with a certificate on this machine, and set',
  'LIMINAL_PUBLIC_URL to its https address. docs/cluster.md shows how, under "Behind a reverse proxy".',
].join('\n');

/** A warning for users who let other machines reach this one. Null if none can. */
export const encryptionNotice = (host: string): string | null => (isLoopback(host) ? null : unencrypted);

const [shortest, fewestKinds, shortestUnit, fewestSteps] = [16, 8, 12, 4];

/** Why a token the user chose could be guessed, or null if it is strong enough. */
export function weaknessOf(token: string): string | null {
  if (token.length < shortest) return 'it is too short';
  if (/[^\x21-\x7e]/.test(token)) return "it has spaces or other characters that aren't allowed in a token";
  if (new Set(token).size < fewestKinds) return 'it has too few distinct characters';
  if (unitLength(token) < shortestUnit) return 'it repeats itself';
  const steps = new Set(Array.from(token.slice(1), (_, at) => token.charCodeAt(at + 1) - token.charCodeAt(at)));
  return steps.size < fewestSteps ? 'its characters follow a pattern' : null;
}

/** The length of the repeated unit, even if the last repetition is cut off. Without repetition, the whole length. */
function unitLength(text: string): number {
  for (let length = 1; length < text.length; length += 1) {
    if (text.startsWith(text.slice(length))) return length;
  }
  return text.length;
}
