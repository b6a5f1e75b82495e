import { describe, expect, test } from 'vitest';
import { codexPath } from './codex-path.ts';

describe('CX-2: which way Codex is spoken to', () => {
  const none = (): string | undefined => undefined;

  test('its own protocol in a version this build knows, else the adapter with a sentence', () => {
    expect(codexPath({}, () => '0.166.2')).toEqual({ kind: 'native' });
    expect(codexPath({}, () => '9.9.9')).toEqual({
      kind: 'acp',
      notice: expect.stringMatching(/Codex 9\.9\.9 .*adapter/),
    });
    expect(codexPath({}, none)).toEqual({ kind: 'acp', notice: expect.stringMatching(/unknown version/) });
  });

  test('the bundled one is known', () => {
    expect(codexPath({})).toEqual({ kind: 'native' });
  });

  test('the setting decides otherwise', () => {
    expect(codexPath({ LIMINAL_CODEX: 'acp' }, () => '0.166.0')).toEqual({ kind: 'acp' });
    expect(codexPath({ LIMINAL_CODEX: 'native' }, none)).toEqual({ kind: 'native' });
  });
});
