import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '@liminal/contracts';
import { temporaryPath } from './leftovers.ts';
import type { GitRun, GitRunner } from './run-git.ts';

/** How a command of the user ended. `hook`: the hook that stopped it, if any. */
export type HookedRun = {
  readonly code: number;
  readonly stderr: string;
  readonly output: string;
  readonly hook: string | null;
};

/** Hooks may run a whole test suite, and networks are slow. */
const timeoutMs = 15 * 60_000;

/** Runs git as the user would, with their hooks and credentials, and determines which hook failed. */
export async function runWithHooks(
  runner: GitRunner,
  gitDir: string,
  run: Omit<GitRun, 'profile' | 'writes' | 'timeoutMs'>,
): Promise<Result<HookedRun>> {
  const folder = temporaryPath(gitDir, 'hooks');
  await mkdir(folder, { recursive: true });
  const trace = join(folder, 'trace');
  try {
    // Only the trace reports a hook's exit code.
    const env = { ...run.env, GIT_TRACE2_EVENT: trace };
    const ran = await runner({ ...run, profile: 'person', writes: true, timeoutMs, env });
    if (!ran.ok) return ran;
    const { code, stdout, stderr } = ran.value;
    const hook = code === 0 ? null : failedHook(await readFile(trace, 'utf8').catch(() => ''));
    return ok({ code, stderr, output: `${stdout.toString('utf8')}${stderr}`, hook });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type TraceEvent = {
  readonly event?: string;
  readonly child_id?: number;
  readonly child_class?: string;
  readonly hook_name?: string;
  readonly code?: number;
  readonly sid?: string;
};

/** The hook that stopped the command. `post-` hooks can't stop one. */
function failedHook(trace: string): string | null {
  const hooks = new Map<string, string>();
  for (const line of trace.split('\n')) {
    if (line === '') continue;
    const event = readEvent(line);
    const key = `${event.sid ?? ''} ${event.child_id ?? ''}`;
    if (event.event === 'child_start' && event.child_class === 'hook') hooks.set(key, event.hook_name ?? 'hook');
    const hook = event.event === 'child_exit' && event.code !== 0 ? hooks.get(key) : undefined;
    if (hook !== undefined && !hook.startsWith('post-')) return hook;
  }
  return null;
}

function readEvent(line: string): TraceEvent {
  try {
    return JSON.parse(line) as TraceEvent;
  } catch {
    return {};
  }
}
