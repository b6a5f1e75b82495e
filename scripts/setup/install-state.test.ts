import { describe, expect, test } from 'vitest';
import { adviceForFailedInstall, isInstalled } from './install-state.mjs';

const installed = { lockHash: 'a', lockTime: 10, stampHash: 'a', stampTime: 21, npmTime: 20 };

describe('isInstalled', () => {
  test('the recorded lockfile counts as installed, however new the file is', () => {
    expect(isInstalled({ ...installed, lockTime: 99 })).toBe(true);
  });
  test('nothing counts as installed if npm never finished', () => {
    expect(isInstalled({ ...installed, npmTime: undefined })).toBe(false);
  });
  test('a changed lockfile does not count as installed', () => {
    expect(isInstalled({ ...installed, lockHash: 'b', lockTime: 30 })).toBe(false);
  });
  test('a restored older lockfile does not count as installed', () => {
    expect(isInstalled({ ...installed, lockHash: 'b', lockTime: 5 })).toBe(false);
  });
  test('a manual install after the change counts', () => {
    expect(isInstalled({ ...installed, lockHash: 'b', lockTime: 30, npmTime: 31 })).toBe(true);
    expect(isInstalled({ ...installed, stampHash: undefined, stampTime: undefined })).toBe(true);
  });
});

describe('adviceForFailedInstall', () => {
  test.each([
    ['npm error code ENOTFOUND', /network/],
    ['npm error code EUSAGE', /npm install/],
    ['npm error code ENOSPC', /disk is full/],
    ['npm error code EACCES', /may not write/],
    ['npm error something else', /npm says why above/],
  ])('%s', (output, advice) => {
    expect(adviceForFailedInstall(output)).toMatch(advice);
  });
  test('shows the output of npm without a stack trace for an unknown error', () => {
    const advice = adviceForFailedInstall('npm error odd thing\nnpm error     at f (a.js:1:2)\n    at g (b.js:1:2)\n');
    expect(advice).toContain('npm error odd thing');
    expect(advice).not.toContain(' at ');
  });
});
