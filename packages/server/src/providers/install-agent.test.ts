import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InstallStep } from '@liminal/contracts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../processes/testing/silent-log.ts';
import { createAgentSpawner } from '../processes/spawn-agent.ts';
import { createAgentInstaller, npmSettings } from './install-agent.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** An installer whose npm is a shell script; `$3` is the folder it fills. */
function setup(npm: string | null, hasProgram = false) {
  const dataDir = mkdtempSync(join(tmpdir(), 'liminal-install-'));
  folders.push(dataDir);
  const bin = join(dataDir, 'bin');
  mkdirSync(bin);
  if (npm !== null) writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
  const spawner = createAgentSpawner({ log: silentLog });
  const installer = createAgentInstaller({
    spawner,
    dataDir,
    env: () => ({ PATH: npm === null ? bin : `${bin}:/usr/bin:/bin` }),
    isMissing: () => true,
    hasProgram: () => hasProgram,
    log: silentLog,
    stepMs: 10,
  });
  const install = async (id = 'codex'): Promise<InstallStep[]> => {
    const steps: InstallStep[] = [];
    const begun = installer.install(id, (step) => steps.push(step));
    if (!begun.ok) throw new Error(begun.failure.message);
    await begun.value;
    return steps;
  };
  return { dataDir, installer, install, place: join(dataDir, 'agents/added/codex'), bin };
}

it('PK-1: passes npm the registry to install from, and none of its other variables', () => {
  const own = { npm_config_registry: 'http://here/', npm_config_cache: '/c', 'npm_config_@a:registry': 'http://a/' };
  expect(npmSettings({ ...own, npm_config_prefix: '/p', npm_lifecycle_event: 'start', PATH: '/bin' })).toEqual(own);
});

describe('PK-1: installing an agent from the page', () => {
  it('fills a staging folder, moves it into place, and reports progress', async () => {
    const fill = 'mkdir -p "$3/node_modules" && head -c 3000000 /dev/zero > "$3/node_modules/x"';
    const { install, installer, place, bin } = setup(
      `echo "$@" > "$(dirname "$0")/arguments"; ${fill}; until [ -e "$(dirname "$0")/go" ]; do sleep 0.02; done`,
    );
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'old'), '');
    const steps: InstallStep[] = [];
    const installing = install();
    const joined = installer.install('codex', (step) => {
      steps.push(step);
      // The script continues once its progress was reported, which may also happen in the middle of writing.
      if (step.megabytes === 3) writeFileSync(join(bin, 'go'), '');
    });
    expect(joined.ok).toBe(true);
    const own = await installing;
    expect(own[0]).toEqual({ state: 'installing', megabytes: 0, of: 450 });
    expect(own).toContainEqual({ state: 'installing', megabytes: 3, of: 450 });
    expect(own.at(-1)).toEqual({ state: 'installed', megabytes: 450, of: 450 });
    expect(steps.at(-1)).toEqual(own.at(-1));
    expect(existsSync(join(place, 'node_modules/x')) && !existsSync(join(place, 'old'))).toBe(true);
    expect(existsSync(`${place}.new`)).toBe(false);
    const given = readFileSync(join(bin, 'arguments'), 'utf8');
    expect(given).toContain('--ignore-scripts');
    expect(given).not.toContain('--omit=optional');
  });

  it('leaves the old installation when npm fails, and says what to do', async () => {
    const { install, place } = setup('echo "npm error code ENOTFOUND" >&2; exit 1');
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'old'), '');
    const last = (await install()).at(-1);
    expect(last).toMatchObject({ state: 'failed', message: expect.stringContaining('Check the network') });
    expect([existsSync(join(place, 'old')), existsSync(`${place}.new`)]).toEqual([true, false]);
    // It can be retried.
    expect((await install()).at(-1)?.state).toBe('failed');
  });

  it('installs only the SDK for a Claude Code that is already there', async () => {
    const { install, bin } = setup('echo "$@" > "$(dirname "$0")/arguments"', true);
    await install('claude-code');
    await vi.waitFor(() => expect(readFileSync(join(bin, 'arguments'), 'utf8')).toContain('--omit=optional'));
  });

  it('reports a missing npm, and installs only the two agents it knows', async () => {
    const { install, installer } = setup(null);
    expect((await install()).at(-1)?.message).toContain("npm isn't on the server's PATH");
    const other = installer.install('demo', () => {});
    expect(!other.ok && other.failure).toMatchObject({ code: 'NOT_SUPPORTED' });
    expect(['claude-code', 'codex', 'demo', '../codex'].map((id) => installer.canInstall(id))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
