import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { codexPath, withCodexOnPath } from './codex-path.ts';

describe('CX-2: how Codex is connected', () => {
  const none = (): string | undefined => undefined;

  test('uses its own protocol in a known version, else the adapter with an explanation', () => {
    expect(codexPath({}, () => '0.166.2')).toEqual({ kind: 'native' });
    expect(codexPath({}, () => '9.9.9')).toEqual({
      kind: 'acp',
      notice: expect.stringMatching(/Codex 9\.9\.9 .*adapter/),
    });
    const named = { CODEX_PATH: '/opt/codex' };
    expect(codexPath(named, none)).toEqual({ kind: 'acp', notice: expect.stringMatching(/unknown version/) });
    expect(codexPath({}, none)).toEqual({ kind: 'native' });
  });

  test('knows the bundled version', () => {
    expect(codexPath({})).toEqual({ kind: 'native' });
  });

  test('follows the setting', () => {
    expect(codexPath({ LIMINAL_CODEX: 'acp' }, () => '0.166.0')).toEqual({ kind: 'acp' });
    expect(codexPath({ LIMINAL_CODEX: 'native' }, none)).toEqual({ kind: 'native' });
  });
});

describe('the Codex on the PATH', () => {
  const folder = mkdtempSync(join(tmpdir(), 'liminal-codex-path-'));
  const file = join(folder, 'codex');
  writeFileSync(file, '', { mode: 0o755 });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const env = { PATH: `relative${delimiter}/nowhere${delimiter}${folder}` };
  const found = (version: string | undefined, given: Record<string, string> = env, isBundled = false) =>
    withCodexOnPath(given, { isBundled, findVersion: () => version })['CODEX_PATH'];

  test('PK-1: is used by a package without agents, if its version is known', () => {
    expect(found('0.166.3')).toBe(file);
    expect(found('9.0.0')).toBeUndefined();
    expect(found(undefined)).toBeUndefined();
    expect(found('0.166.3', { PATH: '/nowhere' })).toBeUndefined();
  });

  test('is not used if the package bundles one, or if the user named another', () => {
    expect(found('0.166.3', env, true)).toBeUndefined();
    expect(found('0.166.3', { ...env, CODEX_PATH: '/my/codex' })).toBe('/my/codex');
  });
});
