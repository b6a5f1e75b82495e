import { readReview } from './edit-text.ts';
import { isYes, type DemoCall, type Scene, type Step } from './scene.ts';
import { editGreeting, review, runTests } from './scratch-scenes.ts';
import * as texts from './texts.ts';

const pause = (lines: readonly string[], id: string): Step[] => lines.map((line) => ({ do: 'output', id, line }));

export const welcome: Scene = function* ({ prompt, scratch }) {
  yield { do: 'say', text: texts.welcome(prompt, scratch !== undefined) };
};

export const think: Scene = function* () {
  yield { do: 'think', text: texts.thought };
  yield { do: 'say', text: texts.afterThought };
};

export const plan: Scene = function* () {
  const steps = texts.planSteps;
  for (let done = 0; done <= steps.length; done += 1) {
    yield {
      do: 'plan',
      steps: steps.map((content, index) => ({
        content,
        status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
      })),
    };
    const step = steps[done];
    if (step !== undefined) yield { do: 'say', text: `${done + 1}. ${step}: done, as far as a demo can.\n` };
  }
};

const testRun: DemoCall = {
  id: 'run',
  name: 'run_command',
  title: 'npm test',
  kind: 'execute',
  input: { command: 'npm test', description: 'Run the tests' },
};

export const tool: Scene = function* ({ scratch }) {
  if (scratch) return yield* runTests();
  yield { do: 'say', text: 'I simulate a test run. Nothing really runs.\n' };
  yield { do: 'call', call: testRun };
  yield* pause(texts.testOutput, testRun.id);
  yield { do: 'finish', id: testRun.id };
  yield { do: 'say', text: 'All three simulated tests pass.' };
};

export const edit: Scene = function* (setting) {
  if (setting.scratch) return yield* editGreeting(setting);
  const { cwd, auto } = setting;
  const path = `${cwd}/greeting.ts`;
  const call: DemoCall = {
    id: 'edit',
    name: 'edit_file',
    title: 'Edit greeting.ts',
    kind: 'edit',
    input: { path },
    locations: [{ path, line: 1 }],
    diff: { path, oldText: texts.fileBefore, newText: texts.fileAfter },
  };
  yield {
    do: 'say',
    text: 'I would like to change a file. This is only a simulation: none of your files is touched.\n',
  };
  if (!auto && !isYes(yield { do: 'ask', call })) {
    yield { do: 'call', call };
    yield { do: 'finish', id: call.id, failed: true };
    yield { do: 'say', text: 'You rejected the change, so I did not make it.' };
    return;
  }
  yield { do: 'call', call };
  yield { do: 'output', id: call.id, line: 'The file was updated (simulated).' };
  yield { do: 'finish', id: call.id };
  yield { do: 'say', text: 'This is how an edit looks: the old lines and the new ones.' };
};

export const permission: Scene = function* ({ auto }) {
  const call: DemoCall = {
    id: 'ask',
    name: 'run_command',
    title: 'rm -rf build',
    kind: 'execute',
    input: { command: 'rm -rf build' },
  };
  yield {
    do: 'say',
    text: auto ? 'In this mode I run commands without asking.\n' : 'I ask before I run this command.\n',
  };
  const answer = auto ? 'allow_once' : yield { do: 'ask', call };
  yield { do: 'call', call };
  if (!isYes(answer)) {
    yield { do: 'finish', id: call.id, failed: true };
    yield { do: 'say', text: 'You rejected it. A real agent would now look for another way.' };
    return;
  }
  yield { do: 'output', id: call.id, line: 'removed build/ (simulated)' };
  yield { do: 'finish', id: call.id };
  yield { do: 'say', text: 'Done. This was a simulation: nothing was removed.' };
};

export const question: Scene = function* () {
  const answer = yield { do: 'question', question: 'Which colour should the button be?', options: texts.colours };
  yield { do: 'say', text: answer === null ? 'You skipped the question. That is fine.' : `**${answer}** it is.` };
};

export const error: Scene = function* () {
  yield { do: 'say', text: 'Now I simulate a model that fails in the middle of a' };
  yield { do: 'fail', message: 'This is how a failure looks. You asked for it: no model was called.' };
};

export const long: Scene = function* ({ prompt }) {
  const count = Math.min(100_000, Number(/\blong\s+(\d+)/i.exec(prompt)?.[1] ?? 500));
  yield { do: 'say', text: texts.longText(count) };
};

export const tour: Scene = function* (setting) {
  for (const scene of [think, plan, tool, edit, question]) {
    yield* scene(setting);
    yield { do: 'say', text: '\n' };
  }
  yield { do: 'say', text: texts.code };
};

/** Matched by the first of these words in the prompt. `tour` comes first because it may appear beside others. */
const byWord: readonly (readonly [RegExp, Scene])[] = [
  [/\b(tour|all|everything)\b/i, tour],
  [/\b(ask first|permission)\b/i, permission],
  [/\bquestion\b/i, question],
  [/\bedit\b/i, edit],
  [/\b(tool|run)\b/i, tool],
  [/\bplan\b/i, plan],
  [/\bthink\b/i, think],
  [/\b(error|fail)\b/i, error],
  [/\blong\b/i, long],
];

export function chooseScene(prompt: string): Scene {
  if (readReview(prompt).length > 0) return review;
  return byWord.find(([word]) => word.test(prompt))?.[1] ?? welcome;
}
