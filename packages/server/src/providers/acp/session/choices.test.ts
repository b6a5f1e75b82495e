import { readRecording } from '@liminal/stand-ins/recordings';
import { expect, test } from 'vitest';
import { readChoices } from './choices.ts';
import { asRecord } from '../../kit/read-json.ts';

const answerOf = (file: `codex/${string}` | `other-agents/${string}`): unknown =>
  readRecording(file)
    .map(({ msg }) => asRecord(msg['result']))
    .find((result) => 'sessionId' in result);

test('MM-5: Codex: reads models, modes and efforts from its config options', () => {
  const { info, request } = readChoices(answerOf('codex/01-text.jsonl'));
  expect(info).toMatchObject({ modelId: 'gpt-5.5', modeId: 'agent', effort: 'medium' });
  expect(info.modes?.map(({ id }) => id)).toEqual(['read-only', 'workspace-write', 'agent', 'agent-full-access']);
  expect(request('effort', 's', 'high')).toEqual({
    method: 'session/set_config_option',
    params: { sessionId: 's', configId: 'reasoning_effort', value: 'high' },
  });
});

test('MM-5: gemini: reads the older lists of modes and models', () => {
  const { info, request } = readChoices(answerOf('other-agents/gemini.jsonl'));
  expect(info).toMatchObject({
    modeId: 'default',
    models: expect.arrayContaining([{ id: 'gemini-2.5-pro', name: 'gemini-2.5-pro' }]) as object[],
  });
  expect(request('mode', 's', 'yolo')).toEqual({
    method: 'session/set_mode',
    params: { sessionId: 's', modeId: 'yolo' },
  });
  expect(request('model', 's', 'auto')).toEqual({
    method: 'session/set_model',
    params: { sessionId: 's', modelId: 'auto' },
  });
  expect(request('effort', 's', 'high')).toBeUndefined();
});

test('flattens grouped options, and drops invalid ones', () => {
  const option = {
    id: 'model',
    name: 'Model',
    type: 'select',
    currentValue: 'a',
    options: [{ group: 'g', options: [{ value: 'a', name: 'A' }] }],
  };
  expect(readChoices({ configOptions: [option] }).info).toEqual({ models: [{ id: 'a', name: 'A' }], modelId: 'a' });
  expect(readChoices({ configOptions: 'no', modes: 7, models: null }).info).toEqual({});
});
