import type { Dirent } from 'node:fs';
import { lstat, readFile, readdir, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ProviderError } from '../../provider-error.ts';

/** Skills lie this deep; what is below is theirs, and Claude Code does not look there by itself. */
const deepest = 3;
/** Longer than any path that could be in a file. */
const longestPath = 8192;
/** Whole copies of repositories that Claude Code makes; it reads no settings of its own from there. */
const copies = 'worktrees';

/**
 * Claude Code reads some files of a folder at its start, trusted or not, and goes where links lead: what it looks for in
 * `.git` and `.claude`. Where one of them leads out of the folder, or out of the repository the folder is in, it must
 * not start before a user trusts the folder.
 */
export async function rejectEscapingLinks(folder: string, home: string | undefined): Promise<void> {
  const link = await findEscapingLink(folder, home);
  if (link === undefined) return;
  const sentence = `${link} links outside this folder, and Claude Code would read it. Trust the folder, then try again.`;
  throw new ProviderError('PROJECT_NOT_TRUSTED', sentence);
}

/** The first such file, as a path from the folder. `home` has a `.claude` that is the user's own. */
export async function findEscapingLink(folder: string, home: string | undefined): Promise<string | undefined> {
  const realHome = home === undefined ? undefined : await realpath(home).catch(() => home);
  for (const { place, root } of await placesLookedAt(folder, realHome)) {
    const link =
      (await linkOutOfRepository(join(place, '.git'), root)) ??
      (place === realHome ? undefined : await linkOutOf(join(place, '.claude'), root, deepest));
    if (link !== undefined) return relative(folder, link);
  }
  return undefined;
}

/** A folder in which Claude Code looks, and the one that its files must not lead out of. */
type Place = { readonly place: string; readonly root: string };

/** The folder and those above it, up to the one that is a repository; the folder alone where none is. */
async function placesLookedAt(folder: string, home: string | undefined): Promise<Place[]> {
  const places: string[] = [];
  for (let place = folder; ; place = dirname(place)) {
    const isRepository = await exists(join(place, '.git'));
    // A repository of all a user has, as some keep of their settings, is no bound: what is in it is to be guarded.
    if (isRepository && place !== folder && holds(place, home)) return places.map((own) => ({ place: own, root: own }));
    places.push(place);
    if (isRepository) return places.map((own) => ({ place: own, root: place }));
    if (place === dirname(place)) return [{ place: folder, root: folder }];
  }
}

const holds = (place: string, home: string | undefined): boolean =>
  home !== undefined && (home === place || home.startsWith(place.endsWith(sep) ? place : place + sep));

async function linkOutOfRepository(git: string, root: string): Promise<string | undefined> {
  const link = (await linkOutOf(git, root, 1)) ?? (await linkOutOf(join(git, 'refs'), root, deepest));
  if (link !== undefined) return link;
  // A repository may also name its place in a text file.
  for (const [file, base] of [
    [git, dirname(git)],
    [join(git, 'commondir'), git],
  ] as const) {
    const text = await readShortFile(file);
    if (text === undefined) continue;
    const place = resolve(base, text.replace(/^gitdir:/, '').trim());
    if (!(await isInside(place, root))) return file;
  }
  return undefined;
}

/** The first link at this path, or down to this depth below it, that leads out of the root. */
async function linkOutOf(path: string, root: string, depth: number): Promise<string | undefined> {
  if (!(await exists(path))) return undefined;
  if (!(await isInside(path, root))) return path;
  for (const entry of depth > 0 ? await entriesOf(path) : []) {
    const below = join(path, entry.name);
    if (entry.isSymbolicLink() || (entry.isDirectory() && entry.name !== copies)) {
      const link = await linkOutOf(below, root, depth - 1);
      if (link !== undefined) return link;
    }
  }
  return undefined;
}

/** Only of a file: a pipe in its place would never answer. */
async function readShortFile(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() && found.size < longestPath ? readFile(path, 'utf8') : undefined;
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** What leads nowhere today may lead out tomorrow. */
const isInside = (path: string, root: string): Promise<boolean> =>
  realpath(path).then(
    (real) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep),
    () => false,
  );

const entriesOf = (path: string): Promise<Dirent[]> => readdir(path, { withFileTypes: true }).catch(() => []);
