import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { acpCapabilities, type AgentSpec } from './agent-spec.ts';
import { availabilityOf } from './find-agent.ts';

const spec = (command: string, args: readonly string[] = []): AgentSpec => ({
  id: 'x',
  name: 'Agent X',
  command,
  args,
  env: {},
  family: 'none',
  capabilities: acpCapabilities,
});

test('finds a program by its path, or by its name in PATH', async () => {
  expect(await availabilityOf(spec('/bin/sh'), '')).toEqual({ available: true });
  expect(await availabilityOf(spec('sh'), '/nowhere:/bin')).toEqual({ available: true });
});

test('skips relative folders of PATH, whose programs would be those of the project folder', async () => {
  expect(await availabilityOf(spec('sh'), relative(process.cwd(), '/bin'))).toMatchObject({ available: false });
});

test('reports what to do when a program or script is missing', async () => {
  expect(await availabilityOf(spec('no-such-agent'), '/bin')).toMatchObject({
    available: false,
    reason: expect.stringMatching(/Agent X isn't installed.*"no-such-agent"/) as string,
  });
  expect(await availabilityOf(spec('/bin/sh', ['/no/such/agent.js']), '')).toMatchObject({ available: false });
});
