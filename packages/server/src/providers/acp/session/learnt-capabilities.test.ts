import { readRecording } from '@liminal/stand-ins/recordings';
import { expect, test } from 'vitest';
import { asRecord, type Loose } from '../../kit/read-json.ts';
import { acpCapabilities } from '../catalogue/agent-spec.ts';
import { learntCapabilities, learntChoices } from './learnt-capabilities.ts';

const initializedBy = (file: `${'codex' | 'other-agents'}/${string}`): Loose =>
  readRecording(file)
    .map(({ msg }) => asRecord(msg['result']))
    .find((result) => 'protocolVersion' in result) ?? {};

test.each([
  ['codex/01-text.jsonl', { load: true, discover: true, images: true, steer: true, fork: true }],
  ['other-agents/opencode.jsonl', { load: true, discover: true, images: true, steer: false, fork: true }],
  ['other-agents/gemini.jsonl', { load: true, discover: false, images: true, steer: false, fork: false }],
] as const)('MM-5: what %s reports about itself replaces the guess', (file, expected) => {
  const guess = { ...acpCapabilities, load: false, images: false, fork: !expected.fork };
  expect(learntCapabilities({ capabilities: guess }, { initialized: initializedBy(file) })).toMatchObject(expected);
});

test('the guess counts until the agent answers; withheld capabilities stay withheld', () => {
  expect(learntCapabilities({ capabilities: acpCapabilities }, {})).toEqual(acpCapabilities);
  const spec = { capabilities: acpCapabilities, withheld: ['discover'] as const };
  expect(learntCapabilities(spec, { initialized: initializedBy('codex/01-text.jsonl') }).discover).toBe(false);
});

const choice = { id: 'a', name: 'A' };

test('the choices of a new session replace the guess; a reopened one changes nothing', () => {
  const none = { models: false, modes: false, efforts: false };
  expect(learntChoices({}, undefined, true)).toEqual(none);
  expect(learntCapabilities({ capabilities: acpCapabilities }, { choices: none })).toMatchObject(none);
  const some = learntChoices({ models: [choice], modes: [] }, none, true);
  expect(some).toEqual({ ...none, models: true });
  expect(learntChoices({ modes: [choice] }, some, false)).toEqual({ ...none, models: true, modes: true });
  expect(learntChoices({}, undefined, false)).toBeUndefined();
});
