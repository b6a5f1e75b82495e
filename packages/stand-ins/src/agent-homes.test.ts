import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { claudeHome, codexHome, geminiHome, opencodeHome, projectFolder } from './agent-homes.ts';
import type { TemporaryFolder } from './agent-homes.ts';

const model = { baseUrl: 'http://127.0.0.1:4321' };
const made: TemporaryFolder[] = [];
const keep = <Folder extends TemporaryFolder>(folder: Folder): Folder => {
  made.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of made.splice(0)) folder.cleanup();
});

it('gives every agent its own home and nothing else of this machine', () => {
  const homes = [claudeHome, codexHome, opencodeHome, geminiHome].map((make) => keep(make(model)));
  expect(new Set(homes.map(({ dir }) => dir)).size).toBe(4);
  for (const { dir, env } of homes) {
    expect(env['HOME']).toBe(dir);
    expect(Object.keys(env)).not.toContain('XDG_CONFIG_HOME');
  }
});

it('points each agent to the stand-in', () => {
  expect(keep(claudeHome(model)).env).toMatchObject({ ANTHROPIC_BASE_URL: model.baseUrl, IS_SANDBOX: '1' });
  expect(keep(geminiHome(model)).env).toMatchObject({ GOOGLE_GEMINI_BASE_URL: model.baseUrl });
  const codex = keep(codexHome(model, { mode: 'workspace-write' })).env;
  expect(readFileSync(join(codex['CODEX_HOME']!, 'config.toml'), 'utf8')).toContain(`base_url = "${model.baseUrl}/v1"`);
  expect(codex['INITIAL_AGENT_MODE']).toBe('workspace-write');
  const opencode = keep(opencodeHome(model)).env;
  expect(readFileSync(opencode['OPENCODE_CONFIG']!, 'utf8')).toContain(`${model.baseUrl}/v1`);
});

it('creates a project with its own repository, and leaves nothing behind', () => {
  const project = projectFolder();
  expect(existsSync(join(project.dir, '.git'))).toBe(true);
  project.cleanup();
  expect(existsSync(project.dir)).toBe(false);
});
