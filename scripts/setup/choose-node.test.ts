import { describe, expect, test } from 'vitest';
import { adviceForMissingNode, isNewEnough } from './choose-node.mjs';

test.each([
  ['24.0.0', true],
  ['v24.21.0', true],
  ['26.1.0', true],
  ['22.20.0', false],
  ['', false],
  [undefined, false],
])('Node %s can run the program: %s', (version, can) => {
  expect(isNewEnough(version)).toBe(can);
});

describe('without a Node that can run the program', () => {
  const machine = { platform: 'freebsd', arch: 'x64', ownVersion: '20.1.0' };

  test('the platform is named, and what to install', () => {
    const advice = adviceForMissingNode({ ...machine, npmOutput: 'npm error code E404' });
    expect(advice).toMatch(/You have 20\.1\.0.*freebsd-x64.*Install Node 24 yourself/);
    expect(adviceForMissingNode({ ...machine, npmOutput: undefined })).toBe(advice);
  });

  test('a network that is down is not taken for a missing version', () => {
    const advice = adviceForMissingNode({ ...machine, npmOutput: 'npm error code ENOTFOUND' });
    expect(advice).toMatch(/registry is not reachable/);
    expect(advice).not.toMatch(/freebsd/);
  });
});
