import { describe, expect, test } from 'vitest';
import { codexPath } from './codex-path.ts';

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
    expect(codexPath({}, none)).toEqual({ kind: 'acp' });
  });

  test('knows the bundled version', () => {
    expect(codexPath({})).toEqual({ kind: 'native' });
  });

  test('obeys the setting', () => {
    expect(codexPath({ LIMINAL_CODEX: 'acp' }, () => '0.166.0')).toEqual({ kind: 'acp' });
    expect(codexPath({ LIMINAL_CODEX: 'native' }, none)).toEqual({ kind: 'native' });
  });
});
