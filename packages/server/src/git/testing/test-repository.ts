import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type TestRepository = {
  readonly dir: string;
  git(...args: string[]): string;
  put(path: string, content: string | Buffer, mode?: number): void;
  read(path: string): string;
  remove(path: string): void;
  /** Adds and commits everything. */
  commit(message?: string): string;
  cleanup(): void;
};

/** A real repository in its own folder, with settings that don't depend on the machine. */
export function createTestRepository(options: { readonly init?: boolean } = {}): TestRepository {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-repository-')));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: dir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
  };
  const run = (command: string, args: readonly string[]): string =>
    execFileSync(command, args, { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
  const git = (...args: string[]): string => run('git', args);
  if (options.init !== false) {
    git('init', '--quiet', '--initial-branch=main');
    // Starting a program from a process as large as a test's takes longer than the program itself.
    appendFileSync(join(dir, '.git', 'config'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
  }
  return {
    dir,
    git,
    put(path, content, mode) {
      const file = join(dir, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      if (mode !== undefined) chmodSync(file, mode);
    },
    read: (path) => readFileSync(join(dir, path), 'utf8'),
    remove: (path) => rmSync(join(dir, path), { recursive: true, force: true }),
    commit(message = 'work') {
      const commands = 'git add --all && git commit --quiet --message "$1" && git rev-parse HEAD';
      return run('sh', ['-c', commands, 'sh', message]).trim();
    },
    cleanup: () => rmSync(dir, { recursive: true, force: true }),
  };
}
