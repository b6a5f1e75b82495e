import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findAgent } from './find-agent.ts';
import { readRegistryFile, registryPlatform } from './registry-file.ts';

const options = { platform: 'linux-x86_64', agentsDir: '/data/agents' };
const read = (value: unknown) => readRegistryFile(typeof value === 'string' ? value : JSON.stringify(value), options);
const registry = (...agents: object[]): object => ({ version: '1.0.0', agents });

test('starts npx entries as installed programs, and never installs them silently', () => {
  const { specs, problems } = read(
    registry(
      {
        id: 'auggie',
        name: 'Auggie CLI',
        version: '0.36.0',
        distribution: { npx: { package: '@augmentcode/auggie@0.36.0', args: ['--acp'], env: { A: '1', B: 2 } } },
      },
      { id: 'x', name: 'X', distribution: { npx: { package: 'plain', cmd: 'other', args: ['acp'] } } },
    ),
  );
  expect(problems).toEqual([]);
  expect(specs).toMatchObject([
    {
      id: 'auggie',
      name: 'Auggie CLI',
      command: 'auggie',
      args: ['--acp'],
      env: { A: '1' },
      installHint: 'Run `npm install --global @augmentcode/auggie@0.36.0` in a terminal.',
    },
    { id: 'x', command: 'other', args: ['acp'], installHint: 'Run `npm install --global plain` in a terminal.' },
  ]);
});

test('keeps the command, keys and id of a known agent, whatever the registry calls it', () => {
  const { specs } = read(
    registry(
      { id: 'gemini', distribution: { npx: { package: '@google/gemini-cli@0.61.0', args: ['--acp'] } } },
      { id: 'qwen-code', distribution: { npx: { package: '@qwen-code/qwen-code@0.24.4', args: ['--acp', '-x'] } } },
      { id: 'codex-acp', distribution: { npx: { package: '@agentclientprotocol/codex-acp@2.6.0' } } },
    ),
  );
  expect(specs).toMatchObject([
    { id: 'gemini', command: 'gemini', args: ['--acp'], family: 'gemini', usesFiles: false },
    { id: 'qwen', command: 'qwen', args: ['--acp', '-x'], family: 'any', ownVariables: ['QWEN_', 'DASHSCOPE_'] },
    { id: 'codex' },
  ]);
});

test('the archive of a known agent does not hide the installed one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'liminal-registry-'));
  const program = (path: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 });
  };
  const binary = { 'linux-x86_64': { archive: 'https://x/o.tgz', cmd: './opencode', args: ['acp', '--unpacked'] } };
  const text = JSON.stringify(registry({ id: 'opencode', distribution: { binary } }));
  const [spec] = readRegistryFile(text, { platform: 'linux-x86_64', agentsDir: join(folder, 'agents') }).specs;
  if (!spec) throw new Error('the entry is read');
  try {
    expect(spec.installHint).toMatch(/opencode-ai.*Unpack https:\/\/x\/o.tgz/);
    const unpacked = join(folder, 'agents/opencode/opencode');
    program(unpacked);
    expect(await findAgent(spec, join(folder, 'bin'))).toEqual({ command: unpacked, args: ['acp', '--unpacked'] });
    const installed = join(folder, 'bin/opencode');
    program(installed);
    expect(await findAgent(spec, join(folder, 'bin'))).toEqual({ command: installed, args: ['acp'] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('starts uvx entries as installed programs too', () => {
  expect(
    read(registry({ id: 'f', distribution: { uvx: { package: 'fast-agent-acp==0.4.0', args: ['-x'] } } })).specs,
  ).toMatchObject([
    { name: 'f', command: 'fast-agent-acp', installHint: 'Run `uv tool install fast-agent-acp==0.4.0` in a terminal.' },
  ]);
});

test('looks for binaries of this platform where a user unpacks them', () => {
  const binary = { 'linux-x86_64': { archive: 'https://x/goose.tar.gz', cmd: './goose', args: ['acp'] } };
  const { specs } = read(registry({ id: 'goose', name: 'goose', distribution: { binary } }));
  expect(specs).toMatchObject([
    {
      command: '/data/agents/goose/goose',
      args: ['acp'],
      installHint: 'Unpack https://x/goose.tar.gz into /data/agents/goose.',
    },
  ]);
  const others = read(registry({ id: 'goose', distribution: { binary: { 'windows-x86_64': { cmd: 'g.exe' } } } }));
  expect(others.specs).toMatchObject([{ installHint: 'The registry has no build for linux-x86_64.' }]);
});

test.each([
  ["isn't valid JSON", 'no', /isn't valid JSON/],
  ['no list', '{"version":"1.0.0"}', /no list "agents"/],
])('rejects a file with %s', (_, text, problem) => {
  expect(read(text)).toEqual({ specs: [], problems: [{ problem: expect.stringMatching(problem) as string }] });
});

test('reports an entry without a usable id, and reads the others', () => {
  const { specs, problems } = read(registry({ name: 'nameless' }, { id: 'a/b' }, { id: 'fine' }));
  expect(specs.map(({ id }) => id)).toEqual(['fine']);
  expect(problems.map(({ problem }) => problem)).toEqual([
    expect.stringMatching(/^entry 1: "id"/) as string,
    expect.stringMatching(/^entry 2: "id"/) as string,
  ]);
});

test('spells platforms as the registry does', () => {
  expect(registryPlatform('darwin', 'arm64')).toBe('darwin-aarch64');
  expect(registryPlatform('win32', 'x64')).toBe('windows-x86_64');
});
