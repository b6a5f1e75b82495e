import { expect, test } from 'vitest';
import { userPath } from './user-path.ts';

const npmAdds = [
  '/home/me/liminal/node_modules/.bin',
  '/home/me/node_modules/.bin',
  '/home/node_modules/.bin',
  '/node_modules/.bin',
  '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin',
];
const of = (...entries: readonly string[]): string => userPath(entries.join(':'), '/home/me/liminal/');

test('removes what npm prepends to PATH, even twice', () => {
  expect(of(...npmAdds, ...npmAdds, '/home/me/bin', '/usr/bin')).toBe('/home/me/bin:/usr/bin');
});

test('leaves a PATH that npm did not touch unchanged', () => {
  expect(of('/home/me/bin', '', '/usr/bin')).toBe('/home/me/bin::/usr/bin');
  expect(of('/home/me/other/node_modules/.bin', '/usr/bin')).toBe('/home/me/other/node_modules/.bin:/usr/bin');
});

test('keeps the user’s later entries, but not our own programs', () => {
  expect(of('/usr/bin', '/home/me/node_modules/.bin')).toBe('/usr/bin:/home/me/node_modules/.bin');
  expect(of('/usr/bin', '/home/me/liminal/node_modules/.bin', '/bin')).toBe('/usr/bin:/bin');
});
