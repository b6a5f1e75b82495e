import { basename } from 'node:path';
import { addressComment, improveGreeting, readReview } from './edit-text.ts';
import { isYes, type DemoCall, type Scene, type Setting, type Step } from './scene.ts';

type Playing = Generator<Step, void, string | null>;

const editOf = (cwd: string, id: string, path: string, oldText: string, newText: string): DemoCall => ({
  id,
  name: 'edit_file',
  title: `Edit ${basename(path)}`,
  kind: 'edit',
  input: { path: `${cwd}/${path}` },
  locations: [{ path: `${cwd}/${path}`, line: 1 }],
  diff: { path: `${cwd}/${path}`, oldText, newText },
});

const testRun: DemoCall = {
  id: 'run',
  name: 'run_command',
  title: 'node test.js',
  kind: 'execute',
  input: { command: 'node test.js', description: 'Run the tests' },
};

/** Runs the tests of the scratch project for real. */
export function* runTests(): Playing {
  yield { do: 'say', text: 'I run the tests of this scratch project.\n' };
  yield { do: 'call', call: testRun };
  const failed = (yield { do: 'test', id: testRun.id }) !== null;
  yield { do: 'finish', id: testRun.id, failed };
  yield { do: 'say', text: failed ? 'Some of them fail: see the output above.' : 'They all pass.' };
}

/** Asks if the mode requires it, then really writes the file. Says nothing; returns whether it wrote. */
function* change(
  { cwd, auto }: Setting,
  edit: { id: string; path: string; from: string; to: string },
): Generator<Step, boolean, string | null> {
  const call = editOf(cwd, edit.id, edit.path, edit.from, edit.to);
  const allowed = auto || isYes(yield { do: 'ask', call });
  yield { do: 'call', call };
  if (allowed) yield { do: 'write', path: edit.path, text: edit.to };
  yield { do: 'finish', id: call.id, failed: !allowed };
  return allowed;
}

const greeting = 'src/greeting.js';

/** Improves the greeting in the scratch project. */
export function* editGreeting(setting: Setting): Playing {
  const from = setting.scratch?.read(greeting) ?? '';
  const to = improveGreeting(from);
  yield { do: 'say', text: 'I would like to improve the greeting. This scratch project is real: the file changes.\n' };
  const wrote = yield* change(setting, { id: 'edit', path: greeting, from, to });
  yield { do: 'say', text: wrote ? afterEdit : 'You rejected the change, so I did not make it.' };
}

const afterEdit = `Done: \`${greeting}\` has changed. Open the review to see it, comment on a line and send the comment to me, or stage and commit it.`;

/** Answers a review: changes the lines each comment is about. */
export const review: Scene = function* (setting) {
  const comments = readReview(setting.prompt);
  const { scratch } = setting;
  yield { do: 'say', text: comments.length === 1 ? 'Thanks for the comment.\n' : 'Thanks for the comments.\n' };
  if (scratch === undefined) {
    yield {
      do: 'say',
      text: 'I am the demo agent, so I change nothing in your own folders. A real agent would now edit.',
    };
    return;
  }
  for (const [index, comment] of comments.entries()) {
    const from = scratch.read(comment.path);
    const to = from === null ? null : addressComment(from, comment);
    if (from === null || to === null || to === from) {
      yield { do: 'say', text: `\n${index + 1}. I can't find these lines in \`${comment.path}\` any more.\n` };
      continue;
    }
    const wrote = yield* change(setting, { id: `edit-${index}`, path: comment.path, from, to });
    const what = wrote ? `I changed the lines in \`${comment.path}\`.` : 'You rejected this change.';
    yield { do: 'say', text: `\n${index + 1}. ${what}\n` };
  }
  yield { do: 'say', text: '\nI have no model, so I only do what a script can. Look at the review for the result.' };
};
