import { expect, test } from 'vitest';
import { performScene, type Stage } from './perform-scene.ts';
import * as scenes from './scenes.ts';
import { longText } from './texts.ts';

const noPace = { beat: async (_: number, signal: AbortSignal) => signal.throwIfAborted() };

async function show(prompt: string, answers: (string | null)[] = [], auto = false) {
  const updates: Record<string, unknown>[] = [];
  const asked: string[] = [];
  const answer = async (what: string): Promise<string | null> => {
    asked.push(what);
    return answers.shift() ?? null;
  };
  const stage: Stage = {
    update: async (update) => void updates.push(update),
    askPermission: (toolCall) => answer(String(toolCall['title'])),
    askQuestion: (question) => answer(question),
  };
  let id = 0;
  const run = performScene(
    scenes.chooseScene(prompt),
    { cwd: '/p', prompt, auto },
    stage,
    noPace,
    () => `id-${(id += 1)}`,
    new AbortController().signal,
  );
  const failure = await run.then(
    () => undefined,
    (error: Error) => error.message,
  );
  const said = updates
    .filter((update) => update['sessionUpdate'] === 'agent_message_chunk')
    .map((update) => (update['content'] as { text: string }).text);
  return {
    updates,
    asked,
    failure,
    said: said.join(''),
    kinds: [...new Set(updates.map((update) => update['sessionUpdate']))],
  };
}

test('says that it is a demo, and lists its commands', async () => {
  const { said } = await show('hello there');
  expect(said).toMatch(/demo agent.*no model/s);
  for (const word of ['think', 'plan', 'tool', 'edit', 'permission', 'question', 'error', 'long', 'tour'])
    expect(said).toContain(`\`${word}`);
});

test.each([
  ['please think', scenes.think],
  ['make a plan', scenes.plan],
  ['run it', scenes.tool],
  ['edit a file', scenes.edit],
  ['ask first', scenes.permission],
  ['a question', scenes.question],
  ['an error please', scenes.error],
  ['long 20', scenes.long],
  ['the whole tour', scenes.tour],
  ['rerun explanation', scenes.welcome],
])('"%s" chooses its scene', (prompt, scene) => {
  expect(scenes.chooseScene(prompt)).toBe(scene);
});

test('asks for an edit and shows it as a diff; respects a refusal', async () => {
  const yes = await show('edit', ['allow_once']);
  expect(yes.asked).toEqual(['Edit greeting.ts']);
  expect(yes.updates.find((update) => update['sessionUpdate'] === 'tool_call')).toMatchObject({
    content: [{ type: 'diff', path: '/p/greeting.ts' }],
  });
  expect((await show('edit', ['reject'])).updates.some((update) => update['status'] === 'failed')).toBe(true);
  expect((await show('edit', [], true)).asked).toEqual([]);
});

test('the tour has a bit of everything', async () => {
  const { kinds, asked } = await show('tour', ['allow_once', 'Blue']);
  expect(kinds).toEqual(['agent_thought_chunk', 'agent_message_chunk', 'plan', 'tool_call', 'tool_call_update']);
  expect(asked).toHaveLength(2);
});

test('an error fails with a message', async () => {
  expect((await show('error')).failure).toMatch(/asked for/);
});

test('a long answer has as many words as requested', () => {
  for (const count of [1, 60, 2000]) expect(longText(count).split(/\s+/)).toHaveLength(count);
});
