import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programFolder } from '../../../program/program-files.ts';
import { binaryBehind, bundledBinary, codexServer, isKnownVersion } from './codex-program.ts';

test('CX-2: knows only versions this build was tested with', () => {
  expect(['0.166.0', '0.166.9', '0.165.0', '0.167.0-alpha.1', '1.0.0'].map(isKnownVersion)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('PK-1: starts a Codex that npm installed without its wrapper script', () => {
  const folder = mkdtempSync(join(tmpdir(), 'liminal-codex-'));
  try {
    const linked = join(folder, 'codex');
    symlinkSync(join(programFolder, 'node_modules', '@openai', 'codex', 'bin', 'codex.js'), linked);
    expect(bundledBinary()).toBeDefined();
    expect(binaryBehind(linked)).toBe(bundledBinary());
    expect(codexServer({ CODEX_PATH: linked }).server).toEqual({ command: bundledBinary(), args: ['app-server'] });
    // A program of its own, or a script without a binary beside it, is started as it is.
    for (const name of ['native', 'alone.js']) {
      const file = join(folder, name);
      writeFileSync(file, '');
      expect(binaryBehind(file)).toBe(file);
    }
    expect(binaryBehind('/not/there')).toBe('/not/there');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
