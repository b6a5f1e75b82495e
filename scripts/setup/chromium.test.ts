import { describe, expect, test } from 'vitest';
import { planChromium } from './chromium.mjs';
import { findChromium } from './find-chromium.mjs';

const debian = { chromiumPath: undefined, hasApt: true, isRoot: false, hasSudo: false };

describe('planChromium', () => {
  test.each([
    ['root installs it', { isRoot: true }],
    ['sudo without a password installs it', { hasSudo: true }],
  ])('%s, preferring the headless shell', (_, rights) => {
    expect(planChromium({ ...debian, ...rights })).toEqual({
      packages: ['chromium-headless-shell', 'chromium'],
      isRoot: 'isRoot' in rights,
    });
  });
  test.each([
    ['without rights', debian, /sudo apt-get install -y chromium/],
    ['without apt', { ...debian, hasApt: false, isRoot: true }, /Chromium or Chrome/],
    ['with a wrong CHROMIUM_PATH', { ...debian, isRoot: true, chromiumPath: '/nowhere' }, /\/nowhere/],
  ])('%s it explains what to do', (_, machine, advice) => {
    expect(planChromium(machine)).toMatchObject({ advice: expect.stringMatching(advice) });
  });
});

describe('findChromium', () => {
  test('uses the first common location, and prefers the headless shell', () => {
    expect(findChromium({}, (file) => file.startsWith('/usr/bin/c'))).toBe('/usr/bin/chromium-headless-shell');
    expect(findChromium({}, (file) => !file.endsWith('-shell'))).toBe('/usr/bin/chromium');
    expect(findChromium({}, () => false)).toBeUndefined();
  });
  test('CHROMIUM_PATH wins, and is not replaced when it is wrong', () => {
    expect(findChromium({ CHROMIUM_PATH: '/my/chrome' }, () => true)).toBe('/my/chrome');
    expect(findChromium({ CHROMIUM_PATH: '/my/chrome' }, (file) => file !== '/my/chrome')).toBeUndefined();
  });
});
