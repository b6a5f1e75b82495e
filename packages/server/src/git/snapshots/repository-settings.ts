import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fieldsOf } from '../nul-fields.ts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';

/** Git settings, from any source, that affect how files are read. */
export type RepositorySettings = {
  /** Line endings are converted even without an attribute. */
  readonly convertsLineEnds: boolean;
  /** Files outside the folder that define attributes or ignore rules. They need not exist. */
  readonly attributeFiles: readonly string[];
  readonly excludeFiles: readonly string[];
};

type Known = { readonly settings: RepositorySettings; readonly files: readonly string[]; readonly stamps: string };
export type ReadSettings = (repository: Repository) => Promise<RepositorySettings | null>;

const mostKnown = 64;
const configHome = (): string => process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
/** Where git looks for system-wide settings depends on its build. */
const systemFolders = ['/etc', '/usr/etc', '/usr/local/etc', '/opt/homebrew/etc', '/opt/local/etc'];
const usualConfigs = (): string[] => [
  ...systemFolders.map((folder) => join(folder, 'gitconfig')),
  join(configHome(), 'git', 'config'),
  join(homedir(), '.gitconfig'),
];

/** Reads settings with git, and again when one of their files has changed. Null if that can't be detected. */
export function createSettingsReader(runner: GitRunner): ReadSettings {
  const known = new Map<string, Known>();
  return async (repository) => {
    const { gitDir, commonDir, root } = repository;
    const before = known.get(gitDir);
    if (before && (await stampsOf(before.files)) === before.stamps) return before.settings;
    known.delete(gitDir);
    const ran = await expectGit(runner, { cwd: root, args: ['config', '-z', '--show-origin', '--list'] });
    if (!ran.ok) return null;
    const { values, origins } = parse(fieldsOf(ran.value.stdout));
    const [attributes, excludes] = [values.get('core.attributesfile'), values.get('core.excludesfile')];
    // If the branch decides which files are included, or only git can expand a path, changes can't be detected.
    if ([...values.keys()].some((key) => key.startsWith('includeif.onbranch'))) return null;
    if ([attributes, excludes].some((path) => path && /^(%|~[^/])/.test(path))) return null;
    const own = [join(commonDir, 'config'), join(gitDir, 'config.worktree')];
    const named = [...origins].map((origin) => (isAbsolute(origin) ? origin : join(root, origin)));
    const files = [...new Set([...usualConfigs(), ...own, ...named])];
    const settings = {
      convertsLineEnds: !isNo(values.get('core.autocrlf')),
      attributeFiles: [
        ...systemFolders.map((folder) => join(folder, 'gitattributes')),
        pathFrom(root, attributes, 'attributes'),
        join(commonDir, 'info', 'attributes'),
      ],
      excludeFiles: [pathFrom(root, excludes, 'ignore'), join(commonDir, 'info', 'exclude')],
    };
    known.set(gitDir, { settings, files, stamps: await stampsOf(files) });
    if (known.size > mostKnown) known.delete(known.keys().next().value ?? '');
    return settings;
  };
}

/** Reads pairs of a setting's source and value. The last value of a name counts. */
function parse(fields: readonly Buffer[]) {
  const values = new Map<string, string | null>();
  const origins = new Set<string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const origin = fields[at]?.toString() ?? '';
    if (origin.startsWith('file:')) origins.add(origin.slice('file:'.length));
    const [key = '', ...value] = fields[at + 1]?.toString().split('\n') ?? [];
    // A name without a value means true.
    values.set(key, value.length === 0 ? null : value.join('\n'));
  }
  return { values, origins };
}

const isNo = (value: string | null | undefined): boolean => value !== null && /^(false|no|off|0|)$/i.test(value ?? '');

function pathFrom(root: string, value: string | null | undefined, name: string): string {
  if (!value) return join(configHome(), 'git', name);
  return value.startsWith('~/') ? join(homedir(), value.slice(2)) : isAbsolute(value) ? value : join(root, value);
}

/** Changes when one of these files is written. They need not exist. */
export async function stampsOf(files: readonly string[]): Promise<string> {
  const stamps = await Promise.all(
    files.map((file) =>
      stat(file, { bigint: true }).then(
        ({ mtimeNs, ctimeNs, size, ino }) => `${mtimeNs} ${ctimeNs} ${size} ${ino}`,
        () => '-',
      ),
    ),
  );
  return stamps.join('\n');
}
