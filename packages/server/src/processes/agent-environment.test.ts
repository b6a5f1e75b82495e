import { expect, test } from 'vitest';
import { agentEnvironment } from './agent-environment.ts';

const everything = {
  PATH: '/bin',
  HOME: '/home/me',
  LC_ALL: 'C',
  XDG_CONFIG_HOME: '/x',
  https_proxy: 'http://proxy',
  VIRTUAL_ENV: '/venv',
  NO_BROWSER: '1',
  INITIAL_AGENT_MODE: 'read-only',
  ANTHROPIC_API_KEY: 'a',
  CLAUDE_CONFIG_DIR: 'c',
  OPENAI_API_KEY: 'o',
  CODEX_HOME: 'x',
  GEMINI_API_KEY: 'g',
  GOOGLE_CLOUD_PROJECT: 'p',
  AWS_SECRET_ACCESS_KEY: 'secret',
  GITHUB_TOKEN: 'secret',
  NODE_OPTIONS: '--inspect',
  LIMINAL_TOKEN: 'ours',
  LIMINAL_DEMO_SPEED: '100',
  CLAUDECODE: '1',
  CLAUDE_CODE_ENTRYPOINT: 'cli',
  CLAUDE_CODE_SSE_PORT: '1234',
  UNSET: undefined,
};
const common = [
  'PATH',
  'HOME',
  'LC_ALL',
  'XDG_CONFIG_HOME',
  'https_proxy',
  'VIRTUAL_ENV',
  'NO_BROWSER',
  'INITIAL_AGENT_MODE',
];

test.each([
  ['claude', ['ANTHROPIC_API_KEY', 'CLAUDE_CONFIG_DIR']],
  ['codex', ['OPENAI_API_KEY', 'CODEX_HOME']],
  ['gemini', ['GEMINI_API_KEY', 'GOOGLE_CLOUD_PROJECT']],
  ['demo', ['LIMINAL_DEMO_SPEED']],
  ['none', []],
  [
    'any',
    [
      'ANTHROPIC_API_KEY',
      'CLAUDE_CONFIG_DIR',
      'OPENAI_API_KEY',
      'CODEX_HOME',
      'GEMINI_API_KEY',
      'GOOGLE_CLOUD_PROJECT',
    ],
  ],
] as const)('an agent of family %s gets the variables of a terminal and only its own secrets', (family, own) => {
  expect(Object.keys(agentEnvironment(everything, { family })).sort()).toEqual([...common, ...own].sort());
});

test('an agent gets its own variables', () => {
  const env = { OPENCODE_CONFIG: 'c', QWEN_KEY: 'q' };
  expect(agentEnvironment(env, { family: 'none', own: ['OPENCODE_'] })).toEqual({ OPENCODE_CONFIG: 'c' });
});

test('passes additional variables by name', () => {
  const env = agentEnvironment(
    { ...everything, LIMINAL_AGENT_ENV: 'AWS_SECRET_ACCESS_KEY, GITHUB_TOKEN' },
    { family: 'none' },
  );
  expect(env).toMatchObject({ AWS_SECRET_ACCESS_KEY: 'secret', GITHUB_TOKEN: 'secret' });
});

test('never passes the server token or the variables of an outer agent, not even by name', () => {
  const names = ['LIMINAL_TOKEN', 'CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SSE_PORT'];
  for (const family of ['claude', 'any', 'none'] as const) {
    const env = agentEnvironment({ ...everything, LIMINAL_AGENT_ENV: names.join(',') }, { family });
    for (const name of names) expect(env).not.toHaveProperty(name);
  }
});
