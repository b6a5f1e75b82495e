import { expect, it } from 'vitest';
import { adviceFor, commandsIn, crashParts } from './failure-advice.ts';

it('says which agent needs a sign-in, and finds the command to run', () => {
  expect(adviceFor('AGENT_AUTH_REQUIRED', 'Codex').title).toBe("Codex isn't signed in");
  expect(commandsIn('Run `codex login` in a terminal.\nOr `codex login` or `x -y`.')).toEqual(['codex login', 'x -y']);
  expect(commandsIn('Nothing to run')).toEqual([]);
});

it('says how a process ended only once', () => {
  expect(crashParts('Codex stopped (exit code 1).')).toEqual({ how: 'exit code 1', rest: '' });
  expect(crashParts('Codex stopped (SIGKILL). Last output: out of memory')).toEqual({
    how: 'SIGKILL',
    rest: 'Last output: out of memory',
  });
  expect(crashParts("The message couldn't be sent.")).toEqual({ how: '', rest: "The message couldn't be sent." });
});

it('has advice for an unknown failure', () => {
  expect(adviceFor('NEW_CODE').title).toBe('The turn failed');
});
