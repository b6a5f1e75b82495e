export type Advice = { readonly title: string; readonly advice: string };

const kept = 'Everything said so far is kept.';

const known: Record<string, Advice> = {
  PROCESS_CRASH: { title: 'The agent stopped unexpectedly', advice: `${kept} Your next message starts it again.` },
  AGENT_NOT_INSTALLED: { title: 'The agent is not installed', advice: 'Install it, then send the message again.' },
  AGENT_AUTH_REQUIRED: {
    title: 'The agent is not signed in',
    advice: 'Sign in with the agent’s own command in a terminal, then send the message again.',
  },
  AGENT_UNRESPONSIVE: { title: 'The agent does not answer', advice: `${kept} Your next message starts it again.` },
  RATE_LIMITED: { title: 'The limit of your account is reached', advice: `${kept} Send the message again later.` },
  MODEL_ERROR: { title: 'The model reported an error', advice: `${kept} Send the message again.` },
};

/** What a failure means to the person, and what they can do next. */
export const adviceFor = (code: string): Advice => known[code] ?? { title: 'The turn failed', advice: kept };
