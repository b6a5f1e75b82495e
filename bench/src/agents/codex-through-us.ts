import { readFileSync } from 'node:fs';
import { processesWith } from '../processes/living-processes.ts';
import { processMemory } from '../processes/process-memory.ts';
import { isAgentsWord, isOf, isTurnsEnd, startOurProgram } from './our-program.ts';

/** Milliseconds from cold to the first word, and to that of a second message; memory of the agent's processes in MB. */
export type CodexTimes = { readonly cold: number; readonly second: number; readonly memory: number };

export type CodexThroughUs = {
  /** A session from scratch: two turns, then it is ended. */
  twoTurns(prompt: string): Promise<CodexTimes>;
  stop(): Promise<void>;
};

/** Our program with Codex, over one of its two protocols. */
export async function startCodexThroughUs(
  way: 'native' | 'acp',
  projectDir: string,
  homeEnv: Readonly<Record<string, string>>,
): Promise<CodexThroughUs> {
  const env = { ...homeEnv, LIMINAL_CODEX: way };
  const { projectId, call, subscribe, next, stop } = await startOurProgram(projectDir, { env, isolated: true });

  /** The time of the agent's first word; resolves when its turn has ended. */
  async function turnOf(sessionId: string): Promise<number> {
    const isOurs = isOf(sessionId);
    const spoken = next((message) => isOurs(message) && isAgentsWord(message));
    const ended = next((message) => isOurs(message) && isTurnsEnd(message));
    await ended;
    return spoken;
  }

  return {
    async twoTurns(prompt) {
      const began = performance.now();
      const message = { content: prompt };
      const { sessionId = '' } = await call('/api/session/create', { cliType: 'codex', projectId, message });
      const first = turnOf(sessionId);
      subscribe(sessionId);
      const cold = (await first) - began;
      const again = performance.now();
      const later = turnOf(sessionId);
      await call(`/api/session/${sessionId}/send`, { content: prompt });
      const second = (await later) - again;
      const memory = agentsMemory(`CODEX_HOME=${homeEnv['CODEX_HOME']}`);
      await call(`/api/session/${sessionId}/kill`, {});
      return { cold, second, memory };
    },
    stop,
  };
}

/** All processes with this variable and our mark of an agent. */
function agentsMemory(variable: string): number {
  return processesWith(variable)
    .filter((pid) => /(^|\0)LIMINAL_AGENT_MARK=/.test(environmentOf(pid)))
    .reduce((sum, pid) => sum + rssOf(pid), 0);
}

/** A process that has just ended uses none. */
function rssOf(pid: number): number {
  try {
    return processMemory(pid).rss;
  } catch {
    return 0;
  }
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}
