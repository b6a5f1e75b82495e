import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '@liminal/contracts';
import { fieldsOf } from '../nul-fields.ts';
import { pathIn, pathText } from '../path-text.ts';
import { privateIndexOf } from './private-index.ts';
import type { Repository } from '../repository.ts';
import { stampsOf, type ReadSettings, type RepositorySettings } from './repository-settings.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import type { Listed } from './sort-files.ts';

export type Differing = {
  readonly listed: readonly Listed[];
  /** In the private index, but ignored now. */
  readonly nowIgnored: readonly Buffer[];
  readonly nested: readonly string[];
  /** Changes with everything that hides or reveals files and isn't part of the tree itself. Null if unknown. */
  readonly ignoreState: string | null;
};

/** Stamps of the files with ignore rules, and whether no file of the index was ignored then. */
type Ignoring = { readonly stamps: string; readonly hasNone: boolean };

/** Lists the differences between a private index and its folder. Call it once at a time per working tree. */
export function createLister(runner: GitRunner, settingsOf: ReadSettings) {
  const ignoring = new Map<string, Ignoring>();

  const list = async (repository: Repository): Promise<Result<Differing>> => {
    const { root, prefix, gitDir } = repository;
    const index = privateIndexOf(repository);
    const below = prefix === '' ? [] : ['--', prefix];
    const run = async (args: readonly string[], own = true): Promise<Result<Buffer[]>> => {
      const env = { GIT_INDEX_FILE: index };
      const ran = await expectGit(runner, { cwd: root, args: [...args, '-z', ...below], ...(own && { env }) });
      return ran.ok ? ok(fieldsOf(ran.value.stdout)) : ran;
    };
    const runIgnored = (own: boolean) => run(['ls-files', '--cached', '--ignored', '--exclude-standard'], own);

    const settings = await settingsOf(repository);
    const rules = settings && (await rulesOutside(repository, settings));
    // Read before the lists, so a change during the listing is noticed the next time.
    const stamps = settings && (await stampsOf([join(gitDir, 'index'), ...settings.excludeFiles]));
    const before = ignoring.get(index);
    const isSame = before?.hasNone === true && before.stamps === stamps;
    const [changed, others, ...early] = await Promise.all([
      run(['diff-files', '--name-only', '--ignore-submodules=dirty']),
      run(['ls-files', '--others', '--exclude-standard']),
      ...(isSame ? [] : [runIgnored(true), runIgnored(false)]),
    ]);
    if (!changed.ok) return changed;
    if (!others.ok) return others;
    const rulesChanged = [...changed.value, ...others.value].some((path) => isIgnoreFile(path.toString('latin1')));
    const late = isSame && rulesChanged ? await Promise.all([runIgnored(true), runIgnored(false)]) : [];
    const [ignored, tracked] = isSame ? late : early;
    if (ignored?.ok === false) return ignored;
    if (tracked?.ok === false) return tracked;
    const [ignoredPaths, trackedPaths] = [ignored?.value ?? [], tracked?.value ?? []];
    if (stamps === null) ignoring.delete(index);
    else ignoring.set(index, { stamps, hasNone: ignoredPaths.length === 0 && trackedPaths.length === 0 });

    const isNested = (path: Buffer) => path.at(-1) === 0x2f;
    const hiding = [...others.value.filter(isNested), Buffer.of(0), ...trackedPaths];
    // Ignored files count only if the user tracks them.
    const trackedIgnored = new Set(trackedPaths.map((path) => path.toString('latin1')));
    const nowIgnored = ignoredPaths.filter((path) => !trackedIgnored.delete(path.toString('latin1')));
    const missed = [...trackedIgnored].map((path) => Buffer.from(path, 'latin1'));
    return ok({
      listed: [
        ...[...changed.value, ...missed].map((path) => ({ path, isTracked: true })),
        ...others.value.filter((path) => !isNested(path)).map((path) => ({ path, isTracked: false })),
      ],
      nowIgnored,
      nested: others.value.filter(isNested).map((path) => pathText(path.subarray(0, -1))),
      ignoreState: rules && hashOf([rules, ...hiding]),
    });
  };
  return {
    list,
    /** Call this when the private index is created again. */
    forget: (repository: Repository): void => void ignoring.delete(privateIndexOf(repository)),
  };
}

/** The ignore rules that aren't in the folder: the user's, the repository's, and those of the folders above. */
async function rulesOutside({ root, prefix }: Repository, { excludeFiles }: RepositorySettings): Promise<string> {
  const folders = prefix.split('/').slice(0, -1);
  const above = folders.map((_, depth) => pathIn(root, [...folders.slice(0, depth), '.gitignore'].join('/')));
  const read = (file: string | Buffer) => readFile(file).catch(() => 'none');
  const rules = await Promise.all([...excludeFiles, ...above].map(read));
  return hashOf(rules.map((each) => hashOf([each])));
}

function hashOf(parts: readonly (string | Buffer)[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part).update('\0');
  return sum.digest('hex');
}

const ignoreFile = /(^|\/)\.gitignore$/;
export const isIgnoreFile = (path: string): boolean => ignoreFile.test(path);
