import { readFileSync } from 'node:fs';

/** The variable every process of an agent carries. */
const mark = 'LIMINAL_AGENT_MARK';
/** Agents are also marked by a resource limit nobody else uses: 18 digits of microseconds. It outlives a cleared environment. */
const limitMark = /^Max realtime timeout\s+(\d{18})\s+\1\s/m;

/** Whether this command was called by an agent that the server started: it must not answer its own requests. */
export function isInsideAgent(env: NodeJS.ProcessEnv, read = (file: string) => readFileSync(file, 'utf8')): boolean {
  if (env[mark] !== undefined) return true;
  try {
    return limitMark.test(read('/proc/self/limits'));
  } catch {
    return false;
  }
}

export const insideAgentFailure = {
  code: 'INSIDE_AGENT',
  message: 'An agent can’t answer requests or change what it may do. Answer in the page, or in a terminal of your own.',
};
