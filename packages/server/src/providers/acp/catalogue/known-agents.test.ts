import { expect, test } from 'vitest';
import { clientCapabilities } from '../client-services/client-services.ts';
import { knownAgents } from './known-agents.ts';

test.each([
  ['gemini', false],
  ['opencode', true],
])('%s is offered files through us: %s', (id, isOffered) => {
  const spec = knownAgents.find((agent) => agent.id === id);
  if (!spec) throw new Error(`${id} is a known agent`);
  expect(clientCapabilities(spec)).toMatchObject({ fs: { readTextFile: isOffered, writeTextFile: isOffered } });
});
