import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { folderOf, foldersInCycle, importsIn } from './import-graph.ts';
import { forbiddenFolders, layers } from './layers.ts';

const beside = new Set(['testing', 'reliability', 'golden', 'fixtures']);

describe.each(layers)('$root', (ofRoot) => {
  const { root, order } = ofRoot;
  const imports = importsIn(root.slice(0, -1));

  it('has every folder in a layer', () => {
    const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const listed = new Set(order.flat());
    expect(folders.map(({ name }) => name).filter((name) => !listed.has(name) && !beside.has(name))).toEqual([]);
    expect(imports.length).toBeGreaterThan(order.length);
  });

  it('imports only from the layers below', () => {
    const forbidden = new Map(forbiddenFolders(ofRoot).map((each) => [each.folder, each.forbidden]));
    const wrong = imports.filter(({ from, to }) => forbidden.get(folderOf(root, from))?.includes(folderOf(root, to)));
    expect(wrong).toEqual([]);
  });

  it('has no cycle of folders', () => {
    expect(foldersInCycle(root, imports)).toEqual([]);
  });
});

describe('the import graph', () => {
  const file = (from: string, to: string) => ({ from: `r/${from}`, to: `r/${to}` });

  it('finds folders that import each other through a third', () => {
    const imports = [
      file('a/x.ts', 'b/x.ts'),
      file('b/y.ts', 'c/x.ts'),
      file('c/y.ts', 'a/y.ts'),
      file('d/x.ts', 'a/x.ts'),
    ];
    expect(foldersInCycle('r/', imports)).toEqual(['a', 'b', 'c', 'd']);
    expect(foldersInCycle('r/', imports.slice(0, 2))).toEqual([]);
  });
});
