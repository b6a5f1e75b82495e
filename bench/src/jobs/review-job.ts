import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchHost } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';
import { contentOf, makeLargeRepository, pathOf } from './large-repository.ts';

const run1 = promisify(execFile);
/** Both sides must do this: objects and refs are on disk when a command is done. */
const durable = ['-c', 'core.fsync=loose-object,reference'];

export type Way = 'list' | 'list by hand' | 'keep' | 'keep by hand' | 'keep with a fresh index';
export type Sized = { readonly files: number };
export type Timed = Sized & { readonly way: Way };

export async function run(host: BenchHost): Promise<void> {
  const sessions = new Map<number, string>();
  let edits = 0;
  const folderOf = (files: number): string => join(host.folder, `repository-${files}`);
  const git = async (files: number, args: readonly string[], input = '', index?: string): Promise<string> => {
    const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', ...(index !== undefined && { GIT_INDEX_FILE: index }) };
    const options = { cwd: folderOf(files), env, maxBuffer: 256 * 1024 * 1024 };
    const running = run1('git', [...durable, '-c', 'gc.auto=0', ...args], options);
    // The exit code says more than a broken pipe.
    running.child.stdin?.on('error', () => {}).end(input);
    return (await running).stdout;
  };
  /** Edits ten other files than last time, so no round benefits from the one before. */
  const edit = (files: number): void => {
    for (let each = 0; each < 10; each += 1) {
      edits += 1;
      const file = (edits * 97) % files;
      writeFileSync(join(folderOf(files), pathOf(file)), contentOf(file, edits));
    }
  };

  /** The commands of a list or a checkpoint, one after another. */
  const recordByHand = async (files: number): Promise<string> => {
    const index = join(folderOf(files), '.git', 'by-hand');
    const changed = await git(files, ['diff-files', '--name-only', '-z', '--ignore-submodules=dirty'], '', index);
    const others = await git(files, ['ls-files', '--others', '--exclude-standard', '-z'], '', index);
    await git(files, ['ls-files', '--cached', '--ignored', '--exclude-standard', '-z'], '', index);
    const add = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
    await git(files, add, changed + others, index);
    return (await git(files, ['write-tree'], '', index)).trim();
  };
  const freshIndex = async (files: number): Promise<void> => {
    const index = join(folderOf(files), '.git', 'fresh');
    await git(files, ['read-tree', 'HEAD'], '', index);
    await git(files, ['add', '-A', '--', '.'], '', index);
    const tree = (await git(files, ['write-tree'], '', index)).trim();
    await git(files, ['update-ref', `refs/liminal/fresh/${edits}`, tree]);
    rmSync(index);
  };
  const ways: Record<Way, (files: number) => Promise<unknown>> = {
    list: (files) => host.call('GET', `/api/session/${sessions.get(files) ?? ''}/changes?scope=uncommitted`),
    async 'list by hand'(files) {
      const tree = await recordByHand(files);
      const raw = ['--raw', '-z', '--no-abbrev'];
      const listed = await git(files, ['diff-tree', '-r', ...raw, '--numstat', '-M', 'HEAD^{tree}', tree]);
      await git(files, ['diff-index', '--cached', ...raw, 'HEAD']);
      await git(files, ['diff-index', '--cached', ...raw, '-R', tree]);
      const ids = listed.match(/[0-9a-f]{40}(?= [A-Z])/g) ?? [];
      await git(files, ['cat-file', '--batch-check', '--buffer'], `${ids.join('\n')}\n`);
    },
    async keep(files) {
      const opened = await host.git.open(folderOf(files));
      const kept = await opened.value?.keep(`turn/${edits}`);
      if (kept?.ok !== true) throw new Error('no checkpoint');
    },
    async 'keep by hand'(files) {
      await git(files, ['update-ref', `refs/liminal/hand/${edits}`, await recordByHand(files)]);
    },
    'keep with a fresh index': freshIndex,
  };

  await answerQuestions({
    /** A repository of this many files, a session in it, and both private indexes. */
    async make({ files }: Sized): Promise<null> {
      const folder = folderOf(files);
      await makeLargeRepository(host, folder, files);
      const made = await host.call('POST', '/api/session/create', { cliType: 'scripted', projectDir: folder });
      sessions.set(files, (made.body as { sessionId: string }).sessionId);
      await git(files, ['read-tree', 'HEAD'], '', join(folder, '.git', 'by-hand'));
      await git(files, ['update-index', '--refresh'], '', join(folder, '.git', 'by-hand'));
      await ways.list(files);
      return null;
    },
    /** Milliseconds. */
    async time({ files, way }: Timed): Promise<number> {
      edit(files);
      const began = performance.now();
      await ways[way](files);
      return performance.now() - began;
    },
    /** How many of these commits failed while lists and checkpoints were created all the time. */
    async commits({ files, rounds }: Sized & { readonly rounds: number }): Promise<number> {
      let failed = 0;
      let isOver = false;
      const readers = (['list', 'keep'] as const).map(async (way) => {
        while (!isOver) await ways[way](files);
      });
      for (let round = 0; round < rounds; round += 1) {
        edit(files);
        for (const args of [
          ['add', '--all'],
          ['commit', '--quiet', '--message', `round ${round}`],
        ]) {
          await run1('git', args, { cwd: folderOf(files) }).catch(() => (failed += 1));
        }
      }
      isOver = true;
      await Promise.all(readers);
      return failed;
    },
  });
}
