export type Advice = { readonly title: string; readonly advice: string };

const kept = 'Everything said so far is kept.';

/** What a failure means to the person, and what they can do next. */
export function adviceFor(code: string, agentName = 'The agent'): Advice {
  const agent = agentName.charAt(0).toUpperCase() + agentName.slice(1);
  switch (code) {
    case 'PROCESS_CRASH':
      // Its last words may be lost with it: nothing is promised of them.
      return { title: `${agent} stopped unexpectedly`, advice: 'Your next message starts it again.' };
    case 'AGENT_NOT_INSTALLED':
      return { title: `${agent} is not installed`, advice: 'Install it, then send the message again.' };
    case 'AGENT_AUTH_REQUIRED':
      return { title: `${agent} is not signed in`, advice: `${kept} Sign in, then send the message again.` };
    case 'AGENT_UNRESPONSIVE':
      return { title: `${agent} does not answer`, advice: `${kept} Your next message starts it again.` };
    case 'RATE_LIMITED':
      return { title: 'The limit of your account is reached', advice: `${kept} Send the message again later.` };
    case 'MODEL_ERROR':
      return { title: 'The model reported an error', advice: `${kept} Send the message again.` };
    default:
      return { title: 'The turn failed', advice: kept };
  }
}

/** The commands a message names in backticks, each once: what a person has to run. */
export const commandsIn = (message: string): string[] => [
  ...new Set([...message.matchAll(/`([^`\n]{1,300})`/g)].map((match) => match[1] ?? '')),
];
