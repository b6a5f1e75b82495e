import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export type WalkLimits = { readonly mostFiles: number; readonly mostMs: number };
export type Walked = { readonly files: readonly string[]; readonly truncated: boolean };

/** Folders that users rarely mean as part of their project. */
const ignored = new Set(
  [
    '.git .hg .svn node_modules bower_components .venv venv __pycache__ .mypy_cache .pytest_cache .tox .cache .npm .cargo',
    '.rustup .gradle .m2 .next .nuxt .svelte-kit .turbo .parcel-cache .terraform dist build out target vendor coverage',
    '.idea .vs .DS_Store Library .Trash snap .local',
  ].flatMap((line) => line.split(' ')),
);

/** The files below a folder, nearest first. Doesn't follow links, so nothing outside is read. */
export async function walkFolder(folder: string, { mostFiles, mostMs }: WalkLimits): Promise<Walked> {
  const until = performance.now() + mostMs;
  const files: string[] = [];
  let level = [''];
  while (level.length > 0) {
    const next: string[] = [];
    for (const relative of level) {
      if (files.length >= mostFiles || performance.now() > until)
        return { files: files.slice(0, mostFiles), truncated: true };
      for (const entry of await entriesOf(join(folder, relative))) {
        if (ignored.has(entry.name)) continue;
        if (entry.isDirectory()) next.push(`${relative}${entry.name}/`);
        else if (entry.isFile()) files.push(`${relative}${entry.name}`);
      }
    }
    level = next;
  }
  return { files: files.slice(0, mostFiles), truncated: files.length > mostFiles };
}

/** An unreadable folder counts as empty. */
const entriesOf = (path: string): Promise<Dirent[]> => readdir(path, { withFileTypes: true }).catch(() => []);
