import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resolveAgentFile, useAddedAgents } from './agent-packages.ts';

it('finds agents that a user adds to the data directory, after the bundled one', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'liminal-agents-'));
  const own = resolveAgentFile('@openai/codex/package.json');
  try {
    useAddedAgents(dataDir);
    for (const [name, place] of [
      ['added-agent', 'agents/added/codex'],
      ['added-before', 'agents'],
      ['@openai/codex', 'agents/added/codex'],
    ] as const) {
      expect(() => resolveAgentFile(`${name === '@openai/codex' ? 'missing' : name}/package.json`)).toThrow();
      const folder = join(dataDir, place, 'node_modules', name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), '{}');
    }
    expect(resolveAgentFile('added-before/package.json')).toContain(dataDir);
    expect(resolveAgentFile('added-agent/package.json')).toContain(dataDir);
    expect(resolveAgentFile('@openai/codex/package.json')).toBe(own);
    expect(() => resolveAgentFile('no-such-agent/package.json')).toThrow();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
