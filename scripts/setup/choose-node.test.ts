import { describe, expect, test } from 'vitest';
import { adviceForMissingNode, chooseNode, isNewEnough } from './choose-node.mjs';

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

describe('the Node that runs the program', () => {
  const installed = { path: '/installed', version: 'v24.21.0' };
  const own = { path: '/own', version: '24.1.0', isInstalled: false };

  test('is the installed one if there is one', () => {
    expect(chooseNode(installed, own)).toBe('/installed');
    expect(chooseNode(installed, { ...own, version: '20.20.2' })).toBe('/installed');
  });

  test("is the machine's own if none is installed and it is new enough", () => {
    const none = { ...installed, version: undefined };
    expect(chooseNode(none, own)).toBe('/own');
    expect(chooseNode(none, { ...own, version: '20.20.2' })).toBeUndefined();
  });

  test('is never one that setup still runs on but an install has removed', () => {
    const removed = { path: '/installed', version: '24.21.0', isInstalled: true };
    expect(chooseNode({ ...installed, version: undefined }, removed)).toBeUndefined();
  });
});

describe('without a Node that can run the program', () => {
  const machine = { platform: 'freebsd', arch: 'x64', ownVersion: '20.1.0' };

  test('the advice names the platform and what to install', () => {
    const advice = adviceForMissingNode({ ...machine, npmOutput: 'npm error code E404' });
    expect(advice).toMatch(/You have 20\.1\.0.*freebsd-x64.*Install Node 24 yourself/);
    expect(adviceForMissingNode({ ...machine, npmOutput: undefined })).toBe(advice);
  });

  test('the advice doesn’t mistake a network failure for a missing version', () => {
    const advice = adviceForMissingNode({ ...machine, npmOutput: 'npm error code ENOTFOUND' });
    expect(advice).toMatch(/registry can't be reached/);
    expect(advice).not.toMatch(/freebsd/);
  });
});
