import { expect, test } from 'vitest';
import { missingPrograms, planProgram } from './terminal-programs.mjs';

test('doesn’t reinstall a program that is on the PATH', () => {
  const env = { PATH: '/usr/bin:/opt/bin' };
  expect(missingPrograms(env, (file) => file === '/opt/bin/vim' || file === '/usr/bin/less')).toEqual(['top']);
  expect(missingPrograms(env, () => true)).toEqual([]);
});

test('installs a missing program if possible, and otherwise names it', () => {
  const debian = { hasApt: true, isRoot: false, hasSudo: false };
  expect(planProgram('top', { ...debian, hasSudo: true })).toEqual({ packages: ['procps'], isRoot: false });
  expect(planProgram('top', debian)).toEqual({ advice: expect.stringContaining('apt-get install -y procps') });
  expect(planProgram('vim', { ...debian, hasApt: false })).toEqual({ advice: expect.stringContaining('Install it') });
});
