import { expect, test } from 'vitest';
import { isKnownVersion, versionIn } from './codex-program.ts';

test.each([
  ['liminal-builder/0.166.0 (Debian 12.0.0; x86_64) dumb (liminal-builder; 0.0.0)', '0.166.0'],
  ['codex-cli 0.166.3', '0.166.3'],
  ['codex-cli 0.167.0-alpha.1', '0.167.0-alpha.1'],
  ['nothing', undefined],
])('CX-2: the version in "%s" is %s', (text, version) => {
  expect(versionIn(text)).toBe(version);
});

test('CX-2: only versions this build was tested with are known', () => {
  expect(['0.166.0', '0.166.9', '0.165.0', '0.167.0-alpha.1', '1.0.0'].map(isKnownVersion)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
