import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStartIn } from '@liminal/domain/time/process-start';
import { afterAll, describe, expect, it } from 'vitest';
import { findServer } from './server-access.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'liminal-cli-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const announce = (address: string, pid: number, started?: number | null) =>
  writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ address, pid, started }));
const opened = (env: NodeJS.ProcessEnv, given?: string): string => {
  const server = findServer(given, env);
  return server.ok ? server.value.url : server.failure.message;
};

describe('the server of a command', () => {
  it('is the one that runs on the data directory', () => {
    expect(opened({ LIMINAL_DATA_DIR: dataDir })).toContain("Liminal Builder isn't running");
    announce('http://127.0.0.1:4747/', process.pid);
    expect(opened({}, dataDir)).toContain('LIMINAL_TOKEN');
    writeFileSync(join(dataDir, 'token'), 'a-token-of-sufficient-length\n');
    expect(opened({ LIMINAL_DATA_DIR: dataDir })).toBe('http://127.0.0.1:4747/');
    announce('http://0.0.0.0:4747/', process.pid);
    expect(opened({}, dataDir)).toBe('http://127.0.0.1:4747/');
  });

  it('is none if the process of the last one is gone', () => {
    announce('http://127.0.0.1:4747/', 2 ** 22 + 1);
    expect(opened({}, dataDir)).toContain('`liminal start`');
  });

  it('is none if another process has the id of the last one: it must not get the token', () => {
    const started = processStartIn(readFileSync('/proc/self/stat', 'latin1'));
    announce('http://127.0.0.1:4747/', process.pid, started);
    expect(opened({}, dataDir)).toBe('http://127.0.0.1:4747/');
    announce('http://127.0.0.1:4747/', process.pid, 1);
    expect(opened({}, dataDir)).toContain('`liminal start`');
  });

  it('is that of LIMINAL_URL with LIMINAL_TOKEN, on this machine or over https', () => {
    const env = { LIMINAL_URL: 'https://desk.example.org/agents', LIMINAL_TOKEN: 'secret' };
    expect(opened(env)).toBe('https://desk.example.org/agents/');
    expect(opened({ LIMINAL_URL: env.LIMINAL_URL })).toContain('LIMINAL_TOKEN is not');
    expect(opened({ ...env, LIMINAL_URL: 'http://desk.example.org/' })).toContain('without encryption');
  });
});
