export type Advice = { readonly title: string; readonly advice: string };

const kept = 'Nothing was lost.';

/** What a failure means for the user, and what they can do next. */
export function adviceFor(code: string, agentName = 'The agent'): Advice {
  const agent = agentName.charAt(0).toUpperCase() + agentName.slice(1);
  switch (code) {
    case 'PROCESS_CRASH':
      // Its last output may be lost, so the text promises nothing about it.
      return { title: `${agent} stopped unexpectedly`, advice: 'Your next message restarts it.' };
    case 'AGENT_NOT_INSTALLED':
      return { title: `${agent} isn't installed`, advice: 'Install it, then try again.' };
    case 'AGENT_AUTH_REQUIRED':
      return { title: `${agent} isn't signed in`, advice: `${kept} Sign in, then try again.` };
    case 'AGENT_UNRESPONSIVE':
      return { title: `${agent} isn't responding`, advice: `${kept} Your next message restarts it.` };
    case 'RATE_LIMITED':
      return { title: 'Rate limit reached', advice: `${kept} Try again later.` };
    case 'MODEL_ERROR':
      return { title: 'The model returned an error', advice: `${kept} Try again.` };
    default:
      return { title: 'The turn failed', advice: kept };
  }
}

/**
 * Splits the message of a crash: how the process ended, for the title, and the rest. A message without the first part
 * is shown unchanged.
 */
export function crashParts(message: string): { readonly how: string; readonly rest: string } {
  const [whole, how = ''] = /^[^\n(]{0,80}(?:stopped|ended|exited)(?: unexpectedly)? \(([^()\n]{1,40})\)\.?\s*/.exec(
    message,
  ) ?? [''];
  return { how, rest: message.slice(whole.length) };
}

/** The commands in backticks in a message, each once: what the user has to run. */
export const commandsIn = (message: string): string[] => [
  ...new Set([...message.matchAll(/`([^`\n]{1,300})`/g)].map((match) => match[1] ?? '')),
];
