import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inRoot, root } from '../setup/paths.mjs';
import { linksIn, pathFinder, pathsNamedIn } from './document-paths.ts';

const isOurs = (file: string): boolean => !/(?:^|\/)(?:node_modules|dist|\.git)(?:\/|$)/.test(file);
const filesBelow = (pattern: string): string[] => globSync(pattern, { cwd: root, exclude: (name) => !isOurs(name) });
const files = filesBelow('{packages,e2e,bench,docs,scripts}/**/*').concat(filesBelow('*.*'));
const isThere = pathFinder(files);
const documents = filesBelow('*.md').concat(filesBelow('docs/**/*.md'));

describe('the paths in a document', () => {
  it.each(documents)('exist in the repository: %s', (document) => {
    const text = readFileSync(inRoot(document), 'utf8');
    expect(pathsNamedIn(text).filter((named) => !isThere(named))).toEqual([]);
    const folder = path.dirname(inRoot(document));
    expect(linksIn(text).filter((target) => !existsSync(path.join(folder, target)))).toEqual([]);
  });

  it('are found in code spans, as whole paths, without the extension for suites', () => {
    const text = 'See `domain/session/decide.ts`, `npm test`, `session/load` and `agents.json`; `x.test.ts` beside it.';
    expect(pathsNamedIn(text)).toEqual(['domain/session/decide.ts']);
    const isKnown = pathFinder(['packages/domain/src/session/decide.ts', 'e2e/src/hostile.e2e.test.ts']);
    const named = ['domain/session/decide.ts', 'session/decide.ts', 'domain/session', 'e2e/hostile'];
    expect(named.filter((each) => !isKnown(each))).toEqual([]);
    const missing = ['domain/session/decided.ts', 'domain/sess', 'ide.ts', 'web/session/decide.ts'];
    expect(missing.filter((each) => isKnown(each))).toEqual([]);
  });

  it('are found in links, except those that leave the repository', () => {
    expect(linksIn('[a](docs/api.md#part) [b](https://example.org) [c](#here)')).toEqual(['docs/api.md']);
  });
});
