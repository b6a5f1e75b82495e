import { createHash } from 'node:crypto';
import { createReadStream, lstatSync } from 'node:fs';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { ok, type Result } from '@liminal/contracts';
import { z } from 'zod';
import { fieldsOf } from '../nul-fields.ts';
import { hasEscapes, pathText } from '../path-text.ts';
import { temporaryPath } from '../leftovers.ts';
import { privateIndexOf } from './private-index.ts';
import type { Repository } from '../repository.ts';
import { convertsAnywhere, isAttributesFile } from './conversions.ts';
import type { RepositorySettings } from './repository-settings.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { writeBlob } from '../index-entries.ts';

/** What a git tree can't represent: original bytes that git converts, and permission bits besides "executable". */
const RawFile = z.object({ id: z.string().optional(), mode: z.int().optional() });
/** The same for a whole folder: the most common permission bits, and the files that differ. By path below the root. */
export const RawManifest = z.object({
  plain: z.int(),
  executable: z.int(),
  files: z.record(z.string(), RawFile),
});
export type RawManifest = z.infer<typeof RawManifest>;

/** Stored next to the private index. `stamp` identifies the index it belongs to; with another one it is invalid. */
const Sidecar = z.object({ stamp: z.string(), tree: z.string().nullable(), manifest: RawManifest });
export type Sidecar = z.infer<typeof Sidecar>;

const permissionBits = 0o7777;
const sidecarOf = (repository: Repository): string => `${privateIndexOf(repository)}.raw.json`;

export const stampOf = (path: string): Promise<string> =>
  stat(path).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => 'none',
  );

/** The information about the files of the private index. Null if the two don't belong together. */
export async function readSidecar(repository: Repository): Promise<Sidecar | null> {
  const text = await readFile(sidecarOf(repository), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const parsed = Sidecar.safeParse(JSON.parse(text));
    return parsed.success && parsed.data.stamp === (await stampOf(privateIndexOf(repository))) ? parsed.data : null;
  } catch {
    return null;
  }
}

/** A server that dies between the two writes leaves a mismatch, and the next one starts over. */
export async function writeSidecar(repository: Repository, sidecar: Omit<Sidecar, 'stamp'>): Promise<Sidecar> {
  const whole = { ...sidecar, stamp: await stampOf(privateIndexOf(repository)) };
  const target = sidecarOf(repository);
  // Another server may record the same folder, so each writes its own file.
  const unfinished = temporaryPath(repository.gitDir, 'raw');
  await writeFile(unfinished, JSON.stringify(whole));
  await rename(unfinished, target);
  return whole;
}

const sliceSize = 500;

/** Checks every file of a new private index once: its permission bits, and whether its line endings are mixed. */
export async function scanFiles(
  runner: GitRunner,
  repository: Repository,
  held: readonly Buffer[],
  settings: RepositorySettings | null,
): Promise<Result<RawManifest>> {
  const prefix = Buffer.from(repository.prefix);
  const paths = held.filter((path) => path.subarray(0, prefix.length).equals(prefix));
  const modes = new Map<string, number>();
  for (let start = 0; start < paths.length; start += sliceSize) {
    // In slices: a thousand synchronous calls are faster than a thousand promises.
    for (const path of paths.slice(start, start + sliceSize)) {
      const mode = modeOf(repository.root, path);
      if (mode !== null) modes.set(pathText(path), mode);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  const usual = (isExecutable: boolean, otherwise: number): number => {
    const counts = new Map<number, number>();
    for (const mode of modes.values())
      if (((mode & 0o100) !== 0) === isExecutable) counts.set(mode, (counts.get(mode) ?? 0) + 1);
    return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? otherwise;
  };
  const manifest: RawManifest = { plain: usual(false, 0o644), executable: usual(true, 0o755), files: {} };
  for (const [path, mode] of modes) if (isUnusual(manifest, mode)) manifest.files[path] = { mode };
  const converts = held.some(isAttributesFile) || (await convertsAnywhere(settings));
  const mixed = converts ? await mixedFiles(runner, repository) : ok([]);
  if (!mixed.ok) return mixed;
  const ids = await idsInIndex(runner, repository, mixed.value);
  return ids.ok ? noteFiles(runner, repository, manifest, mixed.value, new Map(), ids.value) : ids;
}

const isUnusual = ({ plain, executable }: RawManifest, mode: number): boolean =>
  mode !== ((mode & 0o100) === 0 ? plain : executable);

function modeOf(root: string, path: Buffer): number | null {
  try {
    const found = lstatSync(Buffer.concat([Buffer.from(`${root}/`), path]));
    return found.isFile() ? found.mode & permissionBits : null;
  } catch {
    return null;
  }
}

/** Files whose line endings git wouldn't restore. Reads every file, so call it only if git converts. */
async function mixedFiles(runner: GitRunner, repository: Repository): Promise<Result<Buffer[]>> {
  const { root, prefix } = repository;
  const env = { GIT_INDEX_FILE: privateIndexOf(repository) };
  const below = prefix === '' ? [] : ['--', prefix];
  const listed = await expectGit(runner, { cwd: root, env, args: ['ls-files', '--eol', '-z', ...below] });
  if (!listed.ok) return listed;
  return ok(
    fieldsOf(listed.value.stdout).flatMap((field) => {
      const tab = field.indexOf(9);
      return field.toString('latin1', 0, tab).includes('w/mixed') ? [field.subarray(tab + 1)] : [];
    }),
  );
}

/**
 * Adds files as they are now, and stores those whose bytes differ from the index. `modes` has the permission bits that
 * are already known, `ids` the ids in the index, or null if git stores everything unchanged.
 */
export async function noteFiles(
  runner: GitRunner,
  repository: Repository,
  manifest: RawManifest,
  there: readonly Buffer[],
  modes: ReadonlyMap<string, number>,
  ids: ReadonlyMap<string, string> | null,
): Promise<Result<RawManifest>> {
  const files = { ...manifest.files };
  for (const path of there) {
    const name = pathText(path);
    const mode = modes.get(name) ?? modeOf(repository.root, path);
    const stored = ids?.get(name);
    delete files[name];
    if (mode === null || (ids !== null && stored === undefined)) continue;
    const file = Buffer.concat([Buffer.from(`${repository.root}/`), path]);
    const own = stored === undefined ? null : await idOfFile(repository.hash, file);
    const raw = own !== null && own !== stored ? await storeFile(runner, repository, file) : ok(null);
    if (!raw.ok) return raw;
    const entry = {
      ...(raw.value !== null && { id: raw.value }),
      ...(isUnusual(manifest, mode) && { mode }),
    };
    if (Object.keys(entry).length > 0) files[name] = entry;
  }
  return ok({ ...manifest, files });
}

const mostArguments = 200;

export async function idsInIndex(
  runner: GitRunner,
  repository: Repository,
  paths: readonly Buffer[],
): Promise<Result<Map<string, string>>> {
  if (paths.length === 0) return ok(new Map());
  const names = paths.map(pathText);
  const wanted = new Set(names);
  const only = names.length <= mostArguments && !names.some(hasEscapes) ? ['--', ...names] : [];
  const env = { GIT_INDEX_FILE: privateIndexOf(repository) };
  const ran = await expectGit(runner, { cwd: repository.root, env, args: ['ls-files', '--stage', '-z', ...only] });
  if (!ran.ok) return ran;
  const ids = new Map<string, string>();
  for (const field of fieldsOf(ran.value.stdout)) {
    const tab = field.indexOf(9);
    const path = pathText(field.subarray(tab + 1));
    if (wanted.has(path)) ids.set(path, field.toString('latin1', 0, tab).split(' ')[1] ?? '');
  }
  return ok(ids);
}

/** The id of a file's original bytes, or null if it is gone. */
async function idOfFile(hash: Repository['hash'], file: Buffer): Promise<string | null> {
  try {
    const { size } = await stat(file);
    const sum = createHash(hash).update(`blob ${size}\0`);
    for await (const chunk of createReadStream(file)) sum.update(chunk as Buffer);
    return sum.digest('hex');
  } catch {
    return null;
  }
}

async function storeFile(runner: GitRunner, repository: Repository, file: Buffer): Promise<Result<string | null>> {
  const content = await readFile(file).catch(() => null);
  return content === null ? ok(null) : writeBlob(runner, repository, content);
}

/** One tree with everything the manifest names, so one ref keeps it. Null if the git tree is enough. */
export async function treeOfManifest(
  runner: GitRunner,
  repository: Repository,
  manifest: RawManifest,
): Promise<Result<string | null>> {
  const files = Object.values(manifest.files);
  if (files.length === 0 && manifest.plain === 0o644 && manifest.executable === 0o755) return ok(null);
  const written = await writeBlob(runner, repository, Buffer.from(JSON.stringify(manifest)));
  if (!written.ok) return written;
  const ids = new Set(files.flatMap(({ id }) => id ?? []));
  const lines = [...ids].map((id) => `100644 blob ${id}\t${id}\0`);
  const input = [...lines, `100644 blob ${written.value}\tmanifest\0`].join('');
  const made = await expectGit(runner, { cwd: repository.root, writes: true, args: ['mktree', '-z'], input });
  return made.ok ? ok(made.value.stdout.toString().trim()) : made;
}

/** The manifest without files that are gone. */
export function withoutFiles(manifest: RawManifest, gone: readonly Buffer[]): RawManifest {
  const names = gone.map(pathText).filter((name) => manifest.files[name] !== undefined);
  if (names.length === 0) return manifest;
  const files = { ...manifest.files };
  for (const name of names) delete files[name];
  return { ...manifest, files };
}
