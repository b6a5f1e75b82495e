import type { Dirent } from 'node:fs';
import { lstat, readFile, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ProviderError } from '../../provider-error.ts';

/** Skills are this deep; Claude Code doesn't read below that by itself. */
const deepest = 3;
/** Longer than any path that could be in a file. */
const longestPath = 8192;
/** A repository names one other place, which may name one more. */
const mostPlaces = 4;
/** Full copies of repositories that Claude Code makes; it reads no settings of its own from there. */
const copies = 'worktrees';

/**
 * Claude Code reads some files in `.git` and `.claude` at its start, trusted or not, and follows links. If one leads
 * out of the folder, or out of the repository that contains it, Claude Code must not start before the user trusts the
 * folder.
 */
export async function rejectEscapingLinks(folder: string, home: string | undefined): Promise<void> {
  const link = await findEscapingLink(folder, home);
  if (link === undefined) return;
  const sentence = `${link} links outside this folder, and Claude Code would read it. Trust the folder, then try again.`;
  throw new ProviderError('PROJECT_NOT_TRUSTED', sentence);
}

/** The first such file, as a path from the folder. `home` contains the user's own `.claude`. */
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

/** A folder that Claude Code reads, and the root that its files must not lead out of. */
type Place = { readonly place: string; readonly root: string };

/** The folder and its parents, up to the one that is a repository; only the folder if none is. */
async function placesLookedAt(folder: string, home: string | undefined): Promise<Place[]> {
  const places: string[] = [];
  for (let place = folder; ; place = dirname(place)) {
    const isRepository = await exists(join(place, '.git'));
    // Some users keep their whole home in a repository. That is no boundary: the rest of the home must stay protected.
    if (isRepository && place !== folder && holds(place, home)) return places.map((own) => ({ place: own, root: own }));
    places.push(place);
    if (isRepository) return places.map((own) => ({ place: own, root: place }));
    if (place === dirname(place)) return [{ place: folder, root: folder }];
  }
}

const holds = (place: string, home: string | undefined): boolean =>
  home !== undefined && (home === place || home.startsWith(place.endsWith(sep) ? place : place + sep));

async function linkOutOfRepository(
  git: string,
  root: string,
  seen: ReadonlySet<string> = new Set(),
): Promise<string | undefined> {
  if (seen.has(git)) return undefined;
  if (seen.size > mostPlaces) return git;
  const link = (await linkOutOf(git, root, 1)) ?? (await linkOutOf(join(git, 'refs'), root, deepest));
  if (link !== undefined) return link;
  // A repository may also name its location in a text file.
  for (const [file, base] of [
    [git, dirname(git)],
    [join(git, 'commondir'), git],
  ] as const) {
    const text = await readShortFile(file);
    if (text === undefined) continue;
    const place = text === null ? undefined : resolve(base, text.replace(/^gitdir:/, '').trim());
    if (place === undefined || !(await isInside(place, root))) return file;
    const further = await linkOutOfRepository(place, root, new Set([...seen, git]));
    if (further !== undefined) return further;
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

/**
 * Only regular files: reading a pipe would never end. Null if it is too long; Git ignores line ends after a path,
 * however many.
 */
async function readShortFile(path: string): Promise<string | null | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  return found.size < longestPath ? readFile(path, 'utf8') : null;
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** A dangling link may lead out later. */
const isInside = (path: string, root: string): Promise<boolean> =>
  realpath(path).then(
    (real) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep),
    () => false,
  );

const entriesOf = (path: string): Promise<Dirent[]> => readdir(path, { withFileTypes: true }).catch(() => []);
