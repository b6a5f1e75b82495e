import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fail, ok, type Result } from '@liminal/contracts';
import { gitEnvironment, gitSettings, type GitProfile } from './git-environment.ts';
import { createFieldReader } from './nul-fields.ts';

export type GitRun = {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly profile?: GitProfile;
  /** Writes objects, refs or an index. */
  readonly writes?: boolean;
  /** Beside the settings of the profile: a private index, say. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Buffer | string;
  readonly timeoutMs?: number;
  readonly mostBytes?: number;
  readonly signal?: AbortSignal;
  /** Gets the output cut at NUL bytes as it arrives; nothing is collected then. Returns false to hear no more. */
  readonly onField?: (field: Buffer) => boolean | void;
  /** Gets what git says beside its output as it arrives: progress. */
  readonly onMessage?: (text: string) => void;
};

/** How a run ended. A `code` other than 0 is for the caller to judge. */
export type GitOutput = {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Ended early because the reader of the fields had enough. */
  readonly isCutShort: boolean;
};
export type GitRunner = (run: GitRun) => Promise<Result<GitOutput, 'GIT_MISSING' | 'GIT_FAILED'>>;

const usualTimeoutMs = 60_000;
const usualBytes = 64 * 1024 * 1024;
const stderrBytes = 64 * 1024;

export const gitMissing = 'Git was not found. Install git 2.38 or newer, then try again.';

/** Starts git: no shell, a new environment, a process group of its own that ends as a whole, limits on time and output. */
export function createGitRunner(command = 'git', environment = process.env): GitRunner {
  return (run) => {
    const { promise, resolve } = Promise.withResolvers<Result<GitOutput, 'GIT_MISSING' | 'GIT_FAILED'>>();
    const profile = run.profile ?? 'ours';
    const { timeoutMs = usualTimeoutMs, mostBytes = usualBytes } = run;
    if (run.signal?.aborted) return Promise.resolve(fail('GIT_FAILED', cancelled));
    const child = spawn(command, [...gitSettings(profile, run.writes ?? false), ...run.args], {
      cwd: run.cwd,
      env: { ...gitEnvironment(profile, environment), ...run.env },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let bytes = 0;
    let errorBytes = 0;
    let stopped: 'time' | 'bytes' | 'cancel' | 'enough' | null = null;
    const stop = (reason: typeof stopped): void => {
      stopped ??= reason;
      killGroup(child);
    };
    const timer = setTimeout(() => stop('time'), timeoutMs);
    const onAbort = () => stop('cancel');
    run.signal?.addEventListener('abort', onAbort, { once: true });
    const { onField } = run;
    const reader =
      onField && createFieldReader((field) => void (stopped === null && onField(field) === false && stop('enough')));

    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) return stop('bytes');
      if (reader) reader.push(chunk);
      else stdout.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (errorBytes < stderrBytes) stderr.push(chunk);
      errorBytes += chunk.length;
      run.onMessage?.(chunk.toString('utf8'));
    });
    // Git may end without reading all of its input; how it ended says more than the broken pipe.
    child.stdin.on('error', () => {});
    child.stdin.end(run.input ?? '');

    const settle = (result: Result<GitOutput, 'GIT_MISSING' | 'GIT_FAILED'>): void => {
      clearTimeout(timer);
      run.signal?.removeEventListener('abort', onAbort);
      resolve(result);
    };
    child.once('error', (error: NodeJS.ErrnoException) => settle(cannotStart(error, run.cwd)));
    child.once('close', (code) => {
      if (stopped === 'time') return settle(fail('GIT_FAILED', tooSlow(run.args, timeoutMs)));
      if (stopped === 'bytes')
        return settle(fail('GIT_FAILED', `Git wrote too much (git ${run.args[0] ?? ''}).`, { limit: 'bytes' }));
      if (stopped === 'cancel') return settle(fail('GIT_FAILED', cancelled));
      if (stopped === null) reader?.end();
      const isCutShort = stopped === 'enough';
      settle(
        ok({ code: isCutShort ? 0 : (code ?? 1), stdout: Buffer.concat(stdout), stderr: textOf(stderr), isCutShort }),
      );
    });
    return promise;
  };
}

const cancelled = 'Git was stopped before it was done.';

/** A command that has to succeed: anything but exit code 0 is a failure with git's own words. */
export async function expectGit(
  runner: GitRunner,
  run: GitRun,
): Promise<Result<GitOutput, 'GIT_MISSING' | 'GIT_FAILED'>> {
  const ran = await runner(run);
  if (!ran.ok || ran.value.code === 0) return ran;
  return fail('GIT_FAILED', gitSaid(ran.value.stderr) || `git ${run.args[0] ?? ''} failed (exit ${ran.value.code}).`);
}

/** What git wrote, without its prefixes, as a sentence for a person. */
export function gitSaid(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.replace(/^(fatal|error|warning|hint): /, '').trim());
  const said = lines
    .filter((line) => line !== '')
    .slice(0, 6)
    .join(' ');
  return said === '' ? '' : `Git said: ${said}`;
}

function cannotStart(error: NodeJS.ErrnoException, cwd: string) {
  // A working directory that is gone gives the same code as a program that is not there.
  if (error.code === 'ENOENT' && !existsSync(cwd)) return fail('GIT_FAILED', `The folder ${cwd} is gone.`);
  if (error.code === 'ENOENT' || error.code === 'EACCES') return fail('GIT_MISSING', gitMissing);
  return fail('GIT_FAILED', `Git could not be started (${error.code ?? error.message}).`);
}

const tooSlow = (args: readonly string[], ms: number): string =>
  `Git took longer than ${Math.round(ms / 1000)} s and was stopped (git ${args[0] ?? ''}). Try again when the disk is less busy.`;

const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).subarray(0, stderrBytes).toString('utf8');

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
