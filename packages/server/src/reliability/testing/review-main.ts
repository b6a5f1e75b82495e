import { readFileSync, writeFileSync } from 'node:fs';
import type { Result } from '@liminal/contracts';
import type { KeptDiscard } from '../../git/staging/discard-changes.ts';
import type { WorkingTree } from '../../git/git.ts';
import { createGitHere } from '../../git/testing/git-here.ts';
import { killAtStep } from './kill-at-step.ts';

/** Operations of a user or a turn on a folder. Each runs in its own process, which is killed at one of its steps. */
export const acts = ['checkpoint', 'stage', 'stage-hunk', 'unstage', 'commit', 'discard', 'undo'] as const;
export type Act = (typeof acts)[number];

const paths = ['a.txt', 'deep/new.txt', 'gone.txt'];

export async function perform(tree: WorkingTree, act: Act, planFile: string): Promise<Result<unknown>> {
  switch (act) {
    case 'checkpoint': {
      const kept = await tree.keep('turn/one');
      return kept.ok ? tree.include(kept.value.snapshot, ['.env', 'a.txt'], 'ignored') : kept;
    }
    case 'stage':
      return tree.stage({ paths, hunks: [] });
    case 'stage-hunk': {
      const options = { context: 3, whitespace: 'show', full: false } as const;
      const shown = await tree.patch({ kind: 'unstaged' }, 'long.txt', options);
      if (!shown.ok) return shown;
      const { oldId, newId } = shown.value;
      return tree.stage({ paths: [], hunks: [{ path: 'long.txt', oldId, newId, hunk: 1, context: 3 }] });
    }
    case 'unstage':
      return tree.unstage({ paths: ['staged.txt', 'staged-new.txt'], hunks: [] });
    case 'commit':
      return tree.commit({ message: 'second', paths: ['a.txt', 'deep/new.txt'] });
    case 'discard':
      return tree.discard({ paths, hunks: [] }, 'uncommitted', 'undo/one', async ({ files, index }) =>
        writeFileSync(planFile, JSON.stringify({ files, index }), { flush: true }),
      );
    case 'undo':
      return tree.undoDiscard(JSON.parse(readFileSync(planFile, 'utf8')) as KeptDiscard);
  }
}

const isAct = (name: string): name is Act => acts.some((act) => act === name);

if (import.meta.main) {
  const [folder = '', act = '', planFile = '', step = '', gitAfterMs = ''] = process.argv.slice(2);
  const steps = killAtStep(Number(step), gitAfterMs === '' ? null : { afterMs: Number(gitAfterMs) });
  const opened = await createGitHere().open(folder);
  if (!opened.ok || !isAct(act)) throw new Error(`Can't run ${act} in ${folder}.`);
  const done = await perform(opened.value, act, planFile);
  process.stdout.write(done.ok ? `steps ${steps.count()}\n` : `failed ${done.failure.code} ${done.failure.message}\n`);
}
