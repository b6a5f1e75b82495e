import type { PermissionRequest, UpsertObject } from '@liminal/contracts';
import { expect, it } from 'vitest';
import { createScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import { followAgent, needsFiles, placeChangesOf, type AgentEvent } from './agent-event.ts';
import { createChangePlacer } from './place-changes.ts';

const at = '2026-01-01T00:00:00.000Z';
const changes = createChangePlacer({ read: async () => ({ text: 'one\ntwo\n' }) });
const edit = { path: '/p/a.txt', oldText: 'two', newText: 'three' };
const call: UpsertObject = {
  type: 'tool_call',
  sessionId: 's',
  turnId: 't',
  itemId: 't:1:0',
  sourceTimestamp: at,
  emittedAt: at,
  status: 'create',
  toolName: 'Edit',
  toolArguments: {},
  callId: 'c',
  diffs: [edit],
};
const request: PermissionRequest = {
  requestId: 'r',
  turnId: 't',
  kind: 'tool',
  title: 'Edit a.txt',
  options: [],
  openedAt: at,
  diffs: [edit],
};

it('turns everything a provider reports into one event each, in order', async () => {
  const provider = createScriptedProvider('scripted');
  await provider.loadSession('s');
  const events: AgentEvent[] = [];
  const ends = followAgent(provider, 's', (event) => events.push(event));
  await provider.sendMessage('s', 'go', { turnId: 't' });
  provider.start('s');
  provider.say('s', 't:1:0', 'hello');
  provider.end('s');
  provider.die('s');
  expect(events.map(({ type }) => type)).toEqual(['turn', 'item', 'turn', 'process-closed']);
  for (const end of ends) end();
  provider.say('s', 't:1:1', 'too late');
  expect(events).toHaveLength(4);
});

it('reads files only for changes whose place is unknown', () => {
  expect(needsFiles({ type: 'item', upsert: call }, changes)).toBe(true);
  expect(needsFiles({ type: 'item', upsert: { ...call, diffs: [] } }, changes)).toBe(false);
  expect(needsFiles({ type: 'permission-opened', request }, changes)).toBe(true);
  expect(needsFiles({ type: 'permission-opened', request: { ...request, diffs: [] } }, changes)).toBe(false);
  expect(needsFiles({ type: 'info', patch: {} }, changes)).toBe(false);
});

it('accepts an item that cannot be inspected like any other', () => {
  const broken = {
    ...changes,
    concerns: () => {
      throw new Error('no such item');
    },
  };
  expect(needsFiles({ type: 'item', upsert: call }, broken)).toBe(false);
});

it('places the changes of an item and of a request, and leaves other events as they are', async () => {
  const placed = await placeChangesOf({ type: 'item', upsert: call }, changes);
  expect(placed).toMatchObject({ upsert: { diffs: [{ oldStart: 1 }] } });
  const asked = await placeChangesOf({ type: 'permission-opened', request }, changes);
  expect(asked).toMatchObject({ request: { diffs: [{ oldStart: 1 }] } });
  const info: AgentEvent = { type: 'info', patch: { modelId: 'm' } };
  expect(await placeChangesOf(info, changes)).toBe(info);
});
