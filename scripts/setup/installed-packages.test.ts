import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { countUnpacked, expectedPackages } from './installed-packages.mjs';

const lockfile = JSON.stringify({
  packages: {
    '': {},
    'packages/web': {},
    'node_modules/@liminal/web': { link: true },
    'node_modules/fastify': {},
    'node_modules/fastify/node_modules/ajv': {},
    'node_modules/binding-linux': { os: ['linux'], cpu: ['x64'] },
    'node_modules/binding-mac': { os: ['darwin'], cpu: ['arm64'] },
    'node_modules/not-for-windows': { os: ['!win32'] },
  },
});

test('expects the packages of this platform, not those of others or of the repository itself', () => {
  expect(expectedPackages(lockfile, { platform: 'darwin', arch: 'arm64' })).toEqual([
    'node_modules/fastify',
    'node_modules/fastify/node_modules/ajv',
    'node_modules/binding-mac',
    'node_modules/not-for-windows',
  ]);
  expect(expectedPackages(lockfile, { platform: 'win32', arch: 'arm64' })).not.toContain(
    'node_modules/not-for-windows',
  );
});

test('counts a package once its package.json exists', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'unpacked-'));
  const expected = expectedPackages(lockfile, { platform: 'linux', arch: 'x64' });
  mkdirSync(path.join(root, 'node_modules/fastify'), { recursive: true });
  expect(countUnpacked(root, expected)).toBe(0);
  writeFileSync(path.join(root, 'node_modules/fastify/package.json'), '{}');
  expect(countUnpacked(root, expected)).toBe(1);
  rmSync(root, { recursive: true });
});
