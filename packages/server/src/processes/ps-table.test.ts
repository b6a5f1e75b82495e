import { expect, test } from 'vitest';
import { familyIn } from './find-family.ts';
import { readPs } from './ps-table.ts';

const mark = 'LIMINAL_AGENT_MARK=7b1e';

// As printed by macOS 15.
const output = [
  '    1     0     1 Ss   /sbin/launchd',
  '  410     1   410 S    /opt/homebrew/bin/node server.js HOME=/Users/me',
  `  500   410   500 Ss+  /usr/local/bin/claude --print a b HOME=/Users/me ${mark} TERM=xterm`,
  '  501   500   500 S    /bin/sh -c sleep 100',
  '  502   501   502 S    /bin/sleep 100',
  '  503   500   500 Z    (git)',
  `  777     1   777 S    /usr/local/bin/node left.js ${mark}`,
  `  778     1   778 S    /usr/local/bin/node other.js ${mark}0`,
  '12345     1 12345 R    (no such thing)',
  '',
].join('\n');
const table = async () => {
  const read = await readPs(() => Promise.resolve(output));
  if (read === null) throw new Error('no table');
  return read;
};

test('parses the lines of ps and leaves out dead processes that aren’t reaped', async () => {
  const { entries } = await table();
  expect(entries).toContainEqual({ pid: 502, parent: 501, group: 502 });
  expect(entries.map(({ pid }) => pid)).toEqual([1, 410, 500, 501, 502, 777, 778, 12345]);
});

test('finds a whole family by group, descent and the mark in the environment', async () => {
  expect(await familyIn(await table(), { leader: 500, mark })).toEqual([500, 501, 502, 777]);
});

test('returns no table on a system without ps', async () => {
  expect(await readPs(() => Promise.resolve(null))).toBeNull();
});
