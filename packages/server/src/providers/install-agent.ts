import { readdir, rename, rm, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, type InstallStep, ok, type Result } from '@liminal/contracts';
import {
  addableAgents,
  addableName,
  type AddableName,
  describeInstallFailure,
  type InstallPlan,
  planInstall,
} from '@liminal/domain/agents/addable-agents';
import type { ProcessLog } from '../processes/process-log.ts';
import type { AgentSpawner } from '../processes/spawn-agent.ts';
import { findOnPath } from './kit/program-on-path.ts';

export type AgentInstaller = {
  /** Whether the agent is missing and the user can install it from here. */
  canInstall(cliType: string): boolean;
  /** Starts the installation, or joins the one in progress. The listener gets each step; the last one ends it. */
  install(cliType: string, onStep: (step: InstallStep) => void): Result<Promise<void>>;
};

/** For a server that installs no agents. */
export const noInstaller: AgentInstaller = {
  canInstall: () => false,
  install: () => fail('NOT_SUPPORTED', "This server doesn't install agents."),
};

export type AgentInstallerDeps = {
  readonly spawner: AgentSpawner;
  readonly dataDir: string;
  /** The environment of the user's own terminal, with their npm settings and proxies. */
  readonly env: () => Readonly<Record<string, string>>;
  readonly isMissing: (name: AddableName) => boolean;
  /** The program itself is on the machine; only the SDK that connects to it is missing. */
  readonly hasProgram: (name: AddableName) => boolean;
  readonly log: ProcessLog;
  readonly stepMs?: number;
  readonly longestMs?: number;
};

type Running = {
  readonly done: Promise<void>;
  readonly listeners: Set<(step: InstallStep) => void>;
  last: InstallStep;
};

/** Variables in which a user may set where npm installs from and caches. */
const npmSettingNames =
  /^npm_config_(registry|cache|userconfig|globalconfig|cafile|proxy|https_proxy|noproxy|@.*:registry)$/i;

/** The part of the server's environment that npm gets. */
export const npmSettings = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && npmSettingNames.test(name) ? [[name, value]] : [],
    ),
  );

/** Installs agents into the data directory with npm, each at most once at a time. */
export function createAgentInstaller(deps: AgentInstallerDeps): AgentInstaller {
  const { log, stepMs = 1_000 } = deps;
  const running = new Map<AddableName, Running>();

  const begin = (name: AddableName): Running => {
    const hasProgram = deps.hasProgram(name);
    const plan = planInstall(name, deps.dataDir, { by: 'page', hasProgram });
    const of = hasProgram ? addableAgents[name].megabytesWithout : addableAgents[name].megabytes;
    const listeners: Running['listeners'] = new Set();
    const say = (step: InstallStep): void => {
      self.last = step;
      for (const listener of listeners) listener(step);
    };
    let isMeasuring = false;
    const measure = async (): Promise<void> => {
      if (isMeasuring) return;
      isMeasuring = true;
      const megabytes = Math.min(of, Math.round((await sizeOf(plan.staging)) / 1024 / 1024));
      isMeasuring = false;
      if (running.get(name) === self && self.last.state === 'installing') say({ state: 'installing', megabytes, of });
    };
    const timer = setInterval(() => void measure(), stepMs);
    const done = installWithNpm(deps, name, plan).then((problem) => {
      clearInterval(timer);
      running.delete(name);
      if (problem === null) log.info({ agent: name }, 'agent installed');
      else log.warn({ agent: name, problem }, "agent couldn't be installed");
      say(
        problem === null
          ? { state: 'installed', megabytes: of, of }
          : { state: 'failed', megabytes: 0, of, message: problem },
      );
    });
    const self: Running = { done, listeners, last: { state: 'installing', megabytes: 0, of } };
    running.set(name, self);
    return self;
  };

  return {
    canInstall(cliType) {
      const name = addableName(cliType);
      return name !== undefined && deps.isMissing(name);
    },
    install(cliType, onStep) {
      const name = addableName(cliType);
      if (name === undefined) {
        const known = Object.values(addableAgents).map((agent) => agent.name);
        return fail('NOT_SUPPORTED', `Only ${known.join(' and ')} can be installed from here.`);
      }
      const current = running.get(name) ?? begin(name);
      current.listeners.add(onStep);
      onStep(current.last);
      return ok(current.done);
    },
  };
}

/** Null once the agent is in place, otherwise what went wrong and what to do. */
async function installWithNpm(
  { spawner, env, longestMs = 15 * 60_000 }: AgentInstallerDeps,
  name: AddableName,
  plan: InstallPlan,
): Promise<string | null> {
  try {
    const surroundings = env();
    const npm = findOnPath('npm', surroundings['PATH'] ?? '');
    if (npm === undefined)
      return `npm isn't on the server's PATH. Install Node.js with npm, or run \`liminal agents add ${name}\` in a terminal that has npm.`;
    await prepare(plan);
    const child = await spawner.spawn({ command: npm, args: plan.args, cwd: plan.staging, env: surroundings });
    child.stdout.resume();
    child.stdin.end();
    const timer = setTimeout(() => void child.kill(), longestMs);
    const { code } = await child.exited;
    clearTimeout(timer);
    if (code === 0) {
      await putInPlace(plan);
      return null;
    }
    await rm(plan.staging, { recursive: true, force: true });
    return describeInstallFailure(name, child.stderrTail());
  } catch (error) {
    return describeInstallFailure(
      name,
      `${(error as NodeJS.ErrnoException).code ?? ''} npm error ${(error as Error).message}`,
    );
  }
}

async function prepare({ staging, manifest }: InstallPlan): Promise<void> {
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true, mode: 0o700 });
  await writeFile(join(staging, 'package.json'), manifest);
}

/** A crash between the two steps leaves no agent; installing again fixes that. */
async function putInPlace({ folder, staging }: InstallPlan): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await rename(staging, folder);
}

/** The size in bytes of a folder that may change meanwhile. Deleted files count as 0. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return bytes;
}
