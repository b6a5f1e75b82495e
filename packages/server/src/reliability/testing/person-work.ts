import {
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createTestRepository, type TestRepository } from '../../git/testing/test-repository.ts';

const numbered = (change: (line: number) => string): string =>
  Array.from({ length: 40 }, (_, line) => `${change(line)}\n`).join('');

/** A repository with work in progress: staged, changed, new, deleted and ignored files, and a hook. */
export function createPersonWork(): TestRepository {
  const repository = createTestRepository();
  repository.git('config', 'core.autocrlf', 'input');
  repository.put('.gitignore', '.env\n');
  repository.put('a.txt', 'one\ntwo\n');
  repository.put('gone.txt', 'was here\n');
  repository.put('staged.txt', 'staged\n');
  repository.put('long.txt', numbered(String));
  repository.commit('first');
  repository.put('staged.txt', 'staged too\n');
  repository.put('staged-new.txt', 'new and staged\n');
  repository.git('add', 'staged.txt', 'staged-new.txt');
  repository.put('staged.txt', 'staged, then changed\n');
  repository.put('a.txt', 'one\n2\n', 0o600);
  repository.put('deep/new.txt', 'new\r\nand mixed\n', 0o755);
  repository.put(
    'long.txt',
    numbered((line) => (line === 3 || line === 33 ? `changed ${line}` : String(line))),
  );
  repository.put('.env', 'KEY=1\n', 0o640);
  repository.remove('gone.txt');
  symlinkSync('a.txt', join(repository.dir, 'link'));
  writeFileSync(join(repository.dir, '.git/hooks/pre-commit'), '#!/bin/sh\necho checked >&2\n', { mode: 0o755 });
  return repository;
}

/** A copy of the repository. */
export function copyOf({ dir }: TestRepository): TestRepository {
  const copy = createTestRepository({ init: false });
  cpSync(dir, copy.dir, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return copy;
}

export type WorkState = {
  readonly commit: string;
  readonly index: string;
  /** Every file with its mode and contents, or the target of a link. */
  readonly files: Readonly<Record<string, string>>;
};

/** The commits, the index and all files of a repository. */
export function workState(repository: TestRepository): WorkState {
  return {
    commit: repository.git('log', '--all', '--format=%T %D %s'),
    index: repository.git('ls-files', '--stage', '-v'),
    files: Object.fromEntries(filesBelow(repository.dir, '')),
  };
}

function filesBelow(dir: string, prefix: string): [string, string][] {
  return readdirSync(join(dir, prefix)).flatMap((name): [string, string][] => {
    const path = prefix + name;
    if (path === '.git') return [];
    const found = lstatSync(join(dir, path));
    if (found.isDirectory()) return filesBelow(dir, `${path}/`);
    const content = found.isSymbolicLink() ? readlinkSync(join(dir, path)) : readFileSync(join(dir, path), 'latin1');
    return [[path, `${(found.mode & 0o7777).toString(8)} ${content}`]];
  });
}

/** Our own files that should have been removed. */
export function leftovers({ dir }: TestRepository): string[] {
  const own = join(dir, '.git/liminal');
  const ours = existsSync(own) ? readdirSync(own).filter((name) => !/^index(\.raw\.json)?$/.test(name)) : [];
  return [
    ...ours,
    ...Object.keys(Object.fromEntries(filesBelow(dir, ''))).filter((path) => path.includes('.liminal-')),
  ];
}
