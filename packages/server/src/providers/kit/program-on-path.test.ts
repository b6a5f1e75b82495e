import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withClaudeOnPath } from '../claude/claude-path.ts';
import { behindLinks, findOnPath, versionIn, versionOfProgram } from './program-on-path.ts';

const folder = behindLinks(mkdtempSync(join(tmpdir(), 'liminal-on-path-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Creates a file with its parent folders. */
const make = (path: string, text = '', mode = 0o755): string => {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
};
const script = (path: string, said: string): string => make(path, `#!/bin/sh\necho '${said}'\n`);

it('finds a program that can be run, and nothing below the current folder', () => {
  make('first/claude', '', 0o644);
  mkdirSync(join(folder, 'second/claude'), { recursive: true });
  const claude = make('third/claude');
  const path = ['relative', '.', '', ...['first', 'second', 'third'].map((name) => join(folder, name))];
  expect(findOnPath('claude', path.join(delimiter))).toBe(claude);
  expect(findOnPath('claude', '')).toBeUndefined();
});

describe('the version of a program', () => {
  it('is read from its package or its file name, without starting it', () => {
    make('lib/package.json', '{"name":"@openai/codex","version":"0.166.2"}');
    const link = join(folder, 'codex');
    symlinkSync(script('lib/bin/codex.js', 'codex-cli 9.9.9'), link);
    expect(versionOfProgram(link, '@openai/codex')).toBe('0.166.2');
    const native = join(folder, 'claude');
    symlinkSync(script('versions/2.1.330', '9.9.9'), native);
    expect(versionOfProgram(native, '@anthropic-ai/claude-code')).toBe('2.1.330');
  });

  it('is otherwise read from its output', () => {
    make('other/package.json', '{"name":"something-else","version":"5.0.0"}');
    expect(versionOfProgram(script('other/claude', '2.1.340 (Claude Code)'), '@anthropic-ai/claude-code')).toBe(
      '2.1.340',
    );
    expect(versionOfProgram(make('other/broken', '#!/bin/sh\nexit 3\n'), 'x')).toBeUndefined();
    expect(versionOfProgram(join(folder, 'missing'), 'x')).toBeUndefined();
  });

  it.each([
    ['liminal-builder/0.166.0 (Debian 12.0.0; x86_64) dumb (liminal-builder; 0.0.0)', '0.166.0'],
    ['codex-cli 0.166.3', '0.166.3'],
    ['codex-cli 0.167.0-alpha.1', '0.167.0-alpha.1'],
    ['nothing', undefined],
  ])('CX-2: in "%s" is %s', (text, version) => {
    expect(versionIn(text)).toBe(version);
  });
});

describe('the Claude Code on the PATH', () => {
  const file = make('bin/claude');
  const env = { PATH: join(folder, 'bin') };
  const found = (version: string | undefined, given: Record<string, string> = env, isBundled = false) =>
    withClaudeOnPath(given, { isBundled, findVersion: () => version })['LIMINAL_CLAUDE_PATH'];

  it('PK-1: is used by a package without agents, if it fits the SDK', () => {
    expect(found('2.1.325')).toBe(file);
    expect(found('2.1.1')).toBeUndefined();
    expect(found(undefined)).toBeUndefined();
    expect(found('2.1.325', { PATH: '/nowhere' })).toBeUndefined();
  });

  it('is not used if the package bundles one, or if the user named another', () => {
    expect(found('2.1.325', env, true)).toBeUndefined();
    expect(found('2.1.325', { ...env, LIMINAL_CLAUDE_PATH: '/my/claude' })).toBe('/my/claude');
  });
});
