import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import {
  addableAgents,
  addableName,
  claudeFits,
  describeInstallFailure,
  planInstall,
  testedClaude,
} from './addable-agents.ts';

const server = new URL('../../../server/package.json', import.meta.url);
const read = (file: string | URL) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>;

it('lists the versions that the server is tested with', () => {
  const { dependencies } = read(server);
  for (const { packages } of Object.values(addableAgents)) expect(dependencies).toMatchObject(packages);
  const sdk = createRequire(server)
    .resolve('@anthropic-ai/claude-agent-sdk')
    .replace(/[^/]+$/, 'package.json');
  expect(read(sdk)['claudeCodeVersion']).toBe(testedClaude);
});

it('finds an agent by its short name and by its id', () => {
  expect(['claude', 'claude-code', 'codex', 'gemini', 'constructor', ''].map(addableName)).toEqual([
    'claude',
    'claude',
    'codex',
    undefined,
    undefined,
    undefined,
  ]);
});

it.each([
  [testedClaude, true],
  ['2.1.400', true],
  ['2.2.0', true],
  ['2.1.300', false],
  ['2.0.999', false],
  ['3.0.0', false],
  ['1.9.9', false],
  ['later', false],
])('Claude Code %s fits the SDK: %s', (version, fits) => {
  expect(claudeFits(version)).toBe(fits);
});

describe('installing', () => {
  it('installs into a temporary folder next to the current one, and runs no package scripts', () => {
    const { folder, staging, args } = planInstall('codex', '/data', { by: 'page' });
    expect([folder, staging]).toEqual(['/data/agents/added/codex', '/data/agents/added/codex.new-by-page']);
    // Both may run at the same time.
    expect(planInstall('codex', '/data', { by: 'command' }).staging).not.toBe(staging);
    expect(args.slice(0, 4)).toEqual(['install', '--prefix', staging, '--ignore-scripts']);
    expect(args.at(-1)).toMatch(/^@agentclientprotocol\/codex-acp@\d/);
  });

  it('leaves out the program if the machine has it', () => {
    const argsIf = (hasProgram: boolean) => planInstall('claude', '/data', { by: 'page', hasProgram }).args;
    expect(argsIf(false)).not.toContain('--omit=optional');
    expect(argsIf(true)).toContain('--omit=optional');
  });

  it.each([
    ['npm error code ENOTFOUND\nnpm error errno ENOTFOUND', 'Check the network'],
    ['npm error code ENOSPC', 'Free about 450 MB'],
    ['npm error code EACCES', 'Check its permissions'],
    ['npm error code E404', 'mirror'],
    ['npm error code E403', 'npm login'],
    ['npm error code EODD\nnpm error A strange thing happened.', 'A strange thing happened. Run `liminal agents add'],
    ['', 'npm failed. Run'],
  ])('says what to do about %j', (said, words) => {
    expect(describeInstallFailure('codex', said)).toContain(words);
  });
});
