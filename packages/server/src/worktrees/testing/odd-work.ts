import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Adds every kind of work that is easily lost: staged twice, modes, links, line endings, names, conflicts. */
export function makeOddWork(root: string): void {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@example.org', ...args], { cwd: root }).toString();
  const put = (path: string, content: string | Buffer, mode?: number): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
    if (mode !== undefined) chmodSync(join(root, path), mode);
  };
  put('committed.txt', 'own commit\n');
  put('gone.txt', 'will be deleted\n');
  put('folder/inner.txt', 'becomes a file\n');
  put('private.txt', 'unchanged, but only for me\n');
  put('mixed.txt', 'lf\ncrlf\r\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'work');
  chmodSync(join(root, 'private.txt'), 0o600);
  rmSync(join(root, 'gone.txt'));
  rmSync(join(root, 'folder'), { recursive: true });
  put('folder', 'a file now\n');
  put('a.txt', 'one\nstaged\n');
  git('add', 'a.txt');
  put('a.txt', 'one\nchanged again\n');
  put('src/b.txt', 'b\r\nwith\nmixed ends\r\n');
  put('added.txt', 'added\n');
  git('add', '--intent-to-add', 'added.txt');
  put('staged-only.txt', 'staged, then deleted\n');
  git('add', 'staged-only.txt');
  rmSync(join(root, 'staged-only.txt'));
  put('run.sh', '#!/bin/sh\n', 0o755);
  put('secret', Buffer.from([0, 1, 2, 255, 13, 10, 0]), 0o640);
  put('.env', 'KEY=1\n', 0o600);
  put('node_modules/small/index.js', 'module.exports = 1;\n');
  symlinkSync('../outside', join(root, 'link'));
  symlinkSync('nowhere', join(root, 'src/dangling'));
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x74])]), 'not UTF-8\n');
  const oddFolder = Buffer.concat([Buffer.from(`${root}/caf`), Buffer.of(0xe9)]);
  mkdirSync(oddFolder);
  writeFileSync(Buffer.concat([oddFolder, Buffer.from('/a.txt')]), 'in a folder that is not UTF-8\n');
  writeFileSync(join(root, 'new\nline.txt'), 'a name with a line end\n');
}
