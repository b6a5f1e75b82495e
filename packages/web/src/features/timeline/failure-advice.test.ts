import { expect, it } from 'vitest';
import { adviceFor, commandsIn } from './failure-advice.ts';

it('says which agent needs a sign-in, and finds the command to run', () => {
  expect(adviceFor('AGENT_AUTH_REQUIRED', 'Codex').title).toBe("Codex isn't signed in");
  expect(commandsIn('Run `codex login` in a terminal.\nOr `codex login` or `x -y`.')).toEqual(['codex login', 'x -y']);
  expect(commandsIn('Nothing to run')).toEqual([]);
});

it('has advice for an unknown failure', () => {
  expect(adviceFor('NEW_CODE').title).toBe('The turn failed');
});
