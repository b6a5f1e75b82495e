import { describe, expect, test } from 'vitest';
import { planChromium } from './chromium-plan.mjs';
import { findChromium } from './find-chromium.mjs';

const debian = { chromiumPath: undefined, hasApt: true, isRoot: false, hasSudo: false };

describe('planChromium', () => {
  test('root installs it', () => {
    expect(planChromium({ ...debian, isRoot: true })).toEqual({
      commands: [
        ['apt-get', 'update'],
        ['apt-get', 'install', '-y', 'chromium'],
      ],
    });
  });
  test('sudo without a password installs it, and never asks for one', () => {
    expect(planChromium({ ...debian, hasSudo: true })).toMatchObject({
      commands: [
        ['sudo', '-n', 'apt-get', 'update'],
        ['sudo', '-n', 'apt-get', 'install', '-y', 'chromium'],
      ],
    });
  });
  test.each([
    ['without rights', debian, /sudo apt-get install -y chromium|apt-get install/],
    ['without apt', { ...debian, hasApt: false, isRoot: true }, /Chromium or Chrome/],
    ['with a wrong CHROMIUM_PATH', { ...debian, isRoot: true, chromiumPath: '/nowhere' }, /\/nowhere/],
  ])('%s it explains what to do', (_, machine, advice) => {
    expect(planChromium(machine)).toMatchObject({ advice: expect.stringMatching(advice) });
  });
});

describe('findChromium', () => {
  test('takes the first usual place', () => {
    expect(findChromium({}, (file) => file.startsWith('/usr/bin/c'))).toBe('/usr/bin/chromium');
    expect(findChromium({}, () => false)).toBeUndefined();
  });
  test('CHROMIUM_PATH wins, and is not replaced when it is wrong', () => {
    expect(findChromium({ CHROMIUM_PATH: '/my/chrome' }, () => true)).toBe('/my/chrome');
    expect(findChromium({ CHROMIUM_PATH: '/my/chrome' }, (file) => file !== '/my/chrome')).toBeUndefined();
  });
});
