import { createWorktreeService } from '../../worktrees/worktree-service.ts';
import { worktreeWorld } from './worktree-world.ts';

/** Parks or restores one worktree in a separate process that can be killed at any moment. */
const [database = '', folder = '', action = '', worktreeId = ''] = process.argv.slice(2);
const { deps, close } = await worktreeWorld(database, folder);
const worktrees = createWorktreeService(deps);
await worktrees.idle();
process.stdout.write('ready\n');
const done = action === 'park' ? await worktrees.park(worktreeId, {}) : await worktrees.restore(worktreeId);
process.stdout.write(done.ok ? 'done\n' : `${done.failure.code} ${done.failure.message}\n`);
await close();
