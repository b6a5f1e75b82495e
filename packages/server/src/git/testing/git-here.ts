import { launchHere } from '../launch/launch.ts';
import { createGit } from '../real-git.ts';
import { createGitRunner } from '../run-git.ts';

/** Git, started by this process itself: what it starts is counted, or killed with it. */
export const createGitHere = () => createGit({ runner: createGitRunner({ launch: launchHere }) });
