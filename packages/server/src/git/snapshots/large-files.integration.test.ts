import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { got } from '../git.contract.ts';
import { createGit } from '../real-git.ts';
import { createTestRepository, type TestRepository } from '../testing/test-repository.ts';

let repository: TestRepository;
let tools: TestRepository;
beforeEach(() => {
  repository = createTestRepository();
  tools = createTestRepository({ init: false });
});
afterEach(() => {
  repository.cleanup();
  tools.cleanup();
});

const pointer = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:[0-9a-f]{64}\nsize \d+\n$/;

/** Acts like the git-lfs filters, without a network: large files are in a store, and git has pointers. */
function setUpLargeFiles(): void {
  const store = join(tools.dir, 'store');
  mkdirSync(store);
  const clean = join(tools.dir, 'clean');
  const smudge = join(tools.dir, 'smudge');
  writeFileSync(
    clean,
    `#!/bin/sh
cat > ${store}/in.$$
id=$(sha256sum < ${store}/in.$$ | cut -d' ' -f1)
size=$(wc -c < ${store}/in.$$)
mv ${store}/in.$$ ${store}/$id
printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %d\\n' $id $size
`,
  );
  writeFileSync(smudge, `#!/bin/sh\nid=$(sed -n 's/^oid sha256://p')\ncat ${store}/$id\n`);
  chmodSync(clean, 0o755);
  chmodSync(smudge, 0o755);
  repository.git('config', 'filter.lfs.clean', clean);
  repository.git('config', 'filter.lfs.smudge', smudge);
  repository.git('config', 'filter.lfs.required', 'true');
  repository.put('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
}

describe('a repository with large files stored elsewhere', () => {
  it('RV-7 CP-1: lists pointers, keeps the file’s own bytes, and reports that it does', async () => {
    setUpLargeFiles();
    repository.put('model.bin', Buffer.alloc(200_000, 1));
    repository.commit();
    expect(repository.git('cat-file', 'blob', 'HEAD:model.bin')).toMatch(pointer);
    const tree = got(await createGit().open(repository.dir));
    expect(got(await tree.changes({ kind: 'uncommitted' })).entries).toEqual([]);
    const changed = Buffer.alloc(200_000, 2);
    repository.put('model.bin', changed);
    const { state, entries } = got(await tree.changes({ kind: 'uncommitted' }));
    expect([state.usesLfs, entries.map(({ path, size }) => [path, size < 200])]).toEqual([true, [['model.bin', true]]]);
    const { snapshot } = got(await tree.keep('turn/one'));
    expect(repository.git('cat-file', 'blob', `${snapshot.tree}:model.bin`)).toMatch(pointer);
    repository.put('model.bin', 'gone');
    expect(got(await tree.readKept(snapshot, 'model.bin'))?.content.equals(changed)).toBe(true);
  });

  it('RV-7 CP-1: treats files that were never fetched as pointers', async () => {
    repository.put('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
    const text = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 123456789\n`;
    repository.put('model.bin', text);
    repository.commit();
    repository.put('a.txt', 'x\n');
    const tree = got(await createGit().open(repository.dir));
    expect(got(await tree.changes({ kind: 'uncommitted' })).entries.map(({ path }) => path)).toEqual(['a.txt']);
    const { snapshot } = got(await tree.keep('turn/one'));
    expect(got(await tree.readKept(snapshot, 'model.bin'))?.content.toString()).toBe(text);
    expect(readFileSync(join(repository.dir, 'model.bin'), 'utf8')).toBe(text);
  });
});
