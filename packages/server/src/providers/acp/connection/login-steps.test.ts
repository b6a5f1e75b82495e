import { expect, test } from 'vitest';
import { keyMethod, loginSteps } from './login-steps.ts';

const apiKey = { id: 'api-key', name: 'API Key', description: 'Use an API key', _meta: { 'api-key': {} } };

test('the steps name the command to run and the key to set', () => {
  const login = { command: 'codex login', keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'] };
  expect(loginSteps({ name: 'Codex', login }, [apiKey])).toBe(
    [
      "Codex isn't signed in. Do one of these, then try again:",
      '• Run `codex login` in a terminal.',
      '• Set CODEX_API_KEY or OPENAI_API_KEY and restart Liminal Builder.',
    ].join('\n'),
  );
});

test("lists the agent's own login methods, but not twice", () => {
  const methods = [
    { id: 'o', name: 'Login with opencode', description: 'Run `opencode auth login` in the terminal' },
    { id: 'g', name: 'Log in with Google' },
  ];
  expect(loginSteps({ name: 'opencode', login: { command: 'opencode auth login' } }, methods)).toBe(
    [
      "opencode isn't signed in. Do one of these, then try again:",
      '• Run `opencode auth login` in a terminal.',
      '• Log in with Google.',
    ].join('\n'),
  );
});

test('turns a terminal method into the command to run, quoted for a shell', () => {
  const methods = [{ type: 'terminal', id: 't', name: 'Log in', args: ['--login', "it's me"] }];
  expect(loginSteps({ name: 'A', command: '/opt/my agent', args: ['acp'] }, methods)).toContain(
    `run \`'/opt/my agent' acp --login 'it'\\''s me'\` in a terminal`,
  );
});

test('returns a general sentence for an agent without login methods', () => {
  expect(loginSteps({ name: 'A' }, undefined)).toMatch(/^A isn't signed in\. Sign in with its own command/);
});

test('uses a key only if it is set and the agent accepts one', () => {
  const login = { keys: ['A_KEY'] };
  expect(keyMethod({ login }, [apiKey], { A_KEY: 'x' })).toBe('api-key');
  expect(keyMethod({ login }, [apiKey], { A_KEY: ' ' })).toBeUndefined();
  expect(keyMethod({ login }, [{ id: 'oauth', name: 'Log in' }], { A_KEY: 'x' })).toBeUndefined();
  expect(keyMethod({}, [apiKey], { A_KEY: 'x' })).toBeUndefined();
});
