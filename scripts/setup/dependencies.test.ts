import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRoot, root } from './paths.mjs';

type Manifest = {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly allowScripts?: Record<string, boolean>;
};
type Locked = { readonly link?: boolean; readonly integrity?: string; readonly hasInstallScript?: boolean };

const read = <T>(file: string): T => JSON.parse(readFileSync(inRoot(file), 'utf8')) as T;
const manifests = ['package.json', ...globSync('{packages/*,e2e,bench}/package.json', { cwd: root })];
const { packages } = read<{ packages: Record<string, Locked> }>('package-lock.json');
const foreign = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

describe('dependencies', () => {
  it.each(manifests)('have exact versions in %s', (file) => {
    const { dependencies = {}, devDependencies = {} } = read<Manifest>(file);
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it('all have a checksum in the lockfile', () => {
    expect(foreign.length).toBeGreaterThan(100);
    expect(foreign.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  });

  it('run no install scripts except those allowed by name', () => {
    const allowed = Object.entries(read<Manifest>('package.json').allowScripts ?? {}).filter(([, may]) => may);
    const running = foreign.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    expect(running.map(([path]) => path.split('node_modules/').at(-1))).toEqual(allowed.map(([name]) => name));
  });
});
