import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resolveAgentFile, useAddedAgents } from './agent-packages.ts';

it('finds what a person added to the data directory, after the bundled one', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'liminal-agents-'));
  const own = resolveAgentFile('@openai/codex/package.json');
  try {
    for (const name of ['added-agent', '@openai/codex']) {
      const folder = join(dataDir, 'agents', 'node_modules', name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), '{}');
    }
    useAddedAgents(dataDir);
    expect(resolveAgentFile('added-agent/package.json')).toContain(dataDir);
    expect(resolveAgentFile('@openai/codex/package.json')).toBe(own);
    expect(() => resolveAgentFile('no-such-agent/package.json')).toThrow();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
