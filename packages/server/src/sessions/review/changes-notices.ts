import type { ChangesNotice, Failure } from '@liminal/contracts';
import type { TreeChanges } from '../../git/git.ts';
import { isSubmodule } from '../../git/changed-entries.ts';

/** Notices about a list of changes, the most important first. */
export function noticesOf({ state, entries, nested, base }: TreeChanges): ChangesNotice[] {
  const notices: ChangesNotice[] = [];
  const add = (code: ChangesNotice['code'], message: string) => notices.push({ code, message });
  if (state.operation !== null) {
    add('GIT_BUSY', `A ${state.operation} is in progress. Finish or abort it before you discard or rewind files.`);
  }
  if (state.isLocked) {
    add(
      'GIT_BUSY',
      'Another git command is running here (index.lock exists). If none is, a crashed one left the lock; delete it to stage or commit.',
    );
  }
  if (base === null) add('NO_BASE', 'There is no other branch to compare with. Choose one, or push this branch.');
  if (state.head === null) add('NO_COMMIT', 'This repository has no commit yet, so every file counts as new.');
  if (nested.length > 0) {
    add('NESTED_REPOSITORY', `${namesOf(nested)} has its own repository. Its changes aren't shown here.`);
  }
  const modules = entries.filter(({ oldMode, newMode }) => isSubmodule(oldMode) || isSubmodule(newMode));
  if (modules.length > 0) {
    const names = namesOf(modules.map(({ path }) => path));
    add('SUBMODULE', `${names} is a submodule. Only its commit is shown here, not its files.`);
  }
  if (state.isSparse) add('SPARSE', 'This is a sparse checkout. Files outside it are not listed.');
  if (state.usesLfs) add('LFS', 'Files stored with Git LFS show their pointer, not their content.');
  return notices;
}

const namesOf = (paths: readonly string[]): string =>
  paths.length <= 3 ? paths.map((path) => `"${path}"`).join(', ') : `"${paths[0] ?? ''}" and ${paths.length - 1} more`;

export const notTrusted: ChangesNotice = {
  code: 'PROJECT_NOT_TRUSTED',
  message:
    "Git isn't started in a folder you don't trust. This shows what the agent's edit calls reported. Trust the folder to see every change.",
};
/** Why there is no checkpoint, and what is shown instead. */
export const noCheckpoint = (why: 'turn' | 'session' | 'unfinished'): ChangesNotice => ({
  code: 'NO_CHECKPOINT',
  message: `${noCheckpointReasons[why]} This shows what the agent's edit calls reported, not what other commands changed.`,
});
const noCheckpointReasons = {
  turn: "This turn has no checkpoint. Recording the folder took longer than 2 seconds, the folder wasn't trusted yet or wasn't this git repository yet, or the turn was copied from another session.",
  session: 'No turn of this session has a checkpoint.',
  unfinished: "This turn has no checkpoint. The folder wasn't recorded at its end.",
} as const;

export const noTurn: ChangesNotice = {
  code: 'NO_CHECKPOINT',
  message: 'This session has no turn yet. Send a message first.',
};

/** Turns without a checkpoint edited these files, so the list lacks those changes. */
export const missingTurns = (paths: readonly string[]): ChangesNotice => ({
  code: 'NO_CHECKPOINT',
  message: `A turn without a checkpoint edited ${namesOf(paths)}. Its changes aren't listed here.`,
});

export const prunedCheckpoint: ChangesNotice = {
  code: 'NO_CHECKPOINT',
  message:
    "This checkpoint exceeded the limits in Settings and was removed. This shows what the agent's edit calls reported.",
};

/** Why git couldn't be used; the list then shows what the calls reported. */
export function noticeOfFailure({ code, message }: Failure): ChangesNotice {
  const said = "This shows what the agent's edit calls reported.";
  // Any other failure was git's.
  const isKnown = code === 'NOT_A_REPOSITORY' || code === 'GIT_MISSING' || code === 'GIT_BUSY';
  return { code: isKnown ? code : 'GIT_FAILED', message: `${message} ${said}` };
}
