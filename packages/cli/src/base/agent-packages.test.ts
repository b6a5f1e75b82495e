import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { agentPackages, installArguments, isAddable } from './agent-packages.ts';

it('names the versions that the server is tested with', () => {
  const file = new URL('../../../server/package.json', import.meta.url);
  const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: Record<string, string> };
  for (const packages of Object.values(agentPackages)) expect(dependencies).toMatchObject(packages);
});

it('installs into the folder it is given, and runs no script of a package', () => {
  const args = installArguments('codex', '/data/agents');
  expect(args.slice(0, 4)).toEqual(['install', '--prefix', '/data/agents', '--ignore-scripts']);
  expect(args.at(-1)).toMatch(/^@agentclientprotocol\/codex-acp@\d/);
  expect(['claude', 'gemini', 'constructor'].map(isAddable)).toEqual([true, false, false]);
});
