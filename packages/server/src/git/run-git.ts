import { existsSync } from 'node:fs';
import { fail, ok, type Result } from '@liminal/contracts';
import { diskIsFull, saysDiskIsFull } from './full-disk.ts';
import { gitEnvironment, gitSettings, type GitProfile, type GitWrites } from './git-environment.ts';
import { launchApart } from './launch/launch-apart.ts';
import type { Launch, LaunchError } from './launch/launch.ts';
import { createFieldReader } from './nul-fields.ts';

export type GitRun = {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly profile?: GitProfile;
  /** Writes objects, refs or an index. */
  readonly writes?: GitWrites;
  /** In addition to the profile's settings, such as a private index. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Buffer | string;
  /** Finishes even if the server is killed, because stopping halfway would leave a folder between two states. */
  readonly finishes?: boolean;
  readonly timeoutMs?: number;
  readonly mostBytes?: number;
  readonly signal?: AbortSignal;
  /** Receives the output split at NUL bytes as it arrives, instead of collecting it. Returns false to stop. */
  readonly onField?: (field: Buffer) => boolean | void;
  /** Receives stderr as it arrives, for progress. */
  readonly onMessage?: (text: string) => void;
};

/** How a run ended. The caller must check a `code` other than 0. */
export type GitOutput = {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Stopped early because `onField` returned false. */
  readonly isCutShort: boolean;
};
export type GitRunner = (run: GitRun) => Promise<Result<GitOutput, 'GIT_MISSING' | 'GIT_FAILED'>>;

const usualTimeoutMs = 60_000;
const usualBytes = 64 * 1024 * 1024;
const stderrBytes = 64 * 1024;
/** How long a stopped git may take to end. After that, nobody waits for it. */
const stopMs = 5_000;

export const gitMissing = 'Git was not found. Install git 2.38 or newer, then try again.';

export type GitRunnerOptions = {
  readonly command?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly launch?: Launch;
};

/** Starts git without a shell, with a clean environment, a killable process group, and limits on time and output. */
export function createGitRunner(options: GitRunnerOptions = {}): GitRunner {
  const { command = 'git', environment = process.env, launch = launchApart } = options;
  return (run) => {
    const { promise, resolve } = Promise.withResolvers<Result<GitOutput, 'GIT_MISSING' | 'GIT_FAILED'>>();
    const profile = run.profile ?? 'ours';
    const { timeoutMs = usualTimeoutMs, mostBytes = usualBytes } = run;
    if (run.signal?.aborted) return Promise.resolve(fail('GIT_FAILED', cancelled));
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let bytes = 0;
    let errorBytes = 0;
    let stopped: 'time' | 'bytes' | 'cancel' | 'enough' | null = null;
    const stop = (reason: typeof stopped): void => {
      stopped ??= reason;
      launched.stop();
      givingUp ??= setTimeout(() => ended(null), stopMs);
    };
    let givingUp: NodeJS.Timeout | undefined;
    const timer = setTimeout(() => stop('time'), timeoutMs);
    const onAbort = () => stop('cancel');
    run.signal?.addEventListener('abort', onAbort, { once: true });
    const { onField } = run;
    const reader =
      onField && createFieldReader((field) => void (stopped === null && onField(field) === false && stop('enough')));

    const settle = (result: Result<GitOutput, 'GIT_MISSING' | 'GIT_FAILED'>): void => {
      clearTimeout(timer);
      clearTimeout(givingUp);
      run.signal?.removeEventListener('abort', onAbort);
      resolve(result);
    };
    const ended = (code: number | null): void => {
      if (stopped === 'time') return settle(fail('GIT_FAILED', tooSlow(run.args, timeoutMs)));
      if (stopped === 'bytes')
        return settle(fail('GIT_FAILED', `The output of git ${run.args[0] ?? ''} is too large.`, { limit: 'bytes' }));
      if (stopped === 'cancel') return settle(fail('GIT_FAILED', cancelled));
      if (stopped === null) reader?.end();
      const isCutShort = stopped === 'enough';
      const output = { stdout: Buffer.concat(stdout), stderr: textOf(stderr), isCutShort };
      settle(ok({ code: isCutShort ? 0 : (code ?? 1), ...output }));
    };
    const args = [...gitSettings(profile, run.writes ?? false), ...run.args];
    const env = { ...gitEnvironment(profile, environment), ...run.env };
    const launched = launch(
      { command, args, cwd: run.cwd, env, input: run.input ?? '', finishes: run.finishes ?? false },
      {
        stdout(chunk) {
          bytes += chunk.length;
          if (bytes > mostBytes) return stop('bytes');
          if (reader) reader.push(chunk);
          else stdout.push(chunk);
        },
        stderr(chunk) {
          if (errorBytes < stderrBytes) stderr.push(chunk);
          errorBytes += chunk.length;
          run.onMessage?.(chunk.toString('utf8'));
        },
        failed: (error) => settle(stopped === 'cancel' ? fail('GIT_FAILED', cancelled) : cannotStart(error, run.cwd)),
        ended,
      },
    );
    return promise;
  };
}

const cancelled = 'Git was stopped before it was done.';

/** Runs a command that must succeed. Any other exit code is a failure with git's own message. */
export async function expectGit(
  runner: GitRunner,
  run: GitRun,
): Promise<Result<GitOutput, 'GIT_MISSING' | 'GIT_FAILED'>> {
  const ran = await runner(run);
  if (!ran.ok || ran.value.code === 0) return ran;
  return fail(
    'GIT_FAILED',
    gitMessage(ran.value.stderr) || `git ${run.args[0] ?? ''} failed (exit ${ran.value.code}).`,
  );
}

/** Git's output without its prefixes, as a message for the user. */
export function gitMessage(stderr: string): string {
  if (saysDiskIsFull(stderr)) return diskIsFull;
  const lines = stderr.split('\n').map((line) => line.replace(/^(fatal|error|warning|hint): /, '').trim());
  const said = lines
    .filter((line) => line !== '')
    .slice(0, 6)
    .join(' ');
  return said === '' ? '' : `Git said: ${said}`;
}

function cannotStart(error: LaunchError, cwd: string) {
  // A missing working directory gives the same code as a missing program.
  if (error.code === 'ENOENT' && !existsSync(cwd)) return fail('GIT_FAILED', `The folder ${cwd} is gone.`);
  if (error.code === 'ENOENT' || error.code === 'EACCES') return fail('GIT_MISSING', gitMissing);
  return fail('GIT_FAILED', `Git could not be started (${error.code ?? error.message}).`);
}

const tooSlow = (args: readonly string[], ms: number): string =>
  `Git took longer than ${Math.round(ms / 1000)} s and was stopped (git ${args[0] ?? ''}). Try again when the disk is less busy.`;

const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).subarray(0, stderrBytes).toString('utf8');
