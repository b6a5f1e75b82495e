import { readFileSync } from 'node:fs';

/** The variable in every process of an agent. */
const mark = 'LIMINAL_AGENT_MARK';
/**
 * Agents are also marked by an unusual resource limit: 18 digits of microseconds. It survives a cleared environment.
 */
const limitMark = /^Max realtime timeout\s+(\d{18})\s+\1\s/m;

/** Whether an agent of the server runs this command. It must not answer its own requests. */
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
  message: 'An agent can’t answer requests or change what it may do. Answer in the page, or in your own terminal.',
};
