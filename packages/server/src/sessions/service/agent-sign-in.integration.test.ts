import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TerminalSummary } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../processes/testing/silent-log.ts';
import { createProcessMarker } from '../../processes/process-marker.ts';
import { createScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import { openPtyHost } from '../../terminals/pty/script.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

const patience = { timeout: 20_000, interval: 10 };
let folder: string;
let server: TestServer;
const signedIn = vi.fn<() => Promise<void>>(async () => {});

/** An agent whose own sign-in command is this script. */
async function startWith(script: string): Promise<void> {
  const program = join(folder, 'login.sh');
  writeFileSync(program, script, { mode: 0o700 });
  const provider = Object.assign(createScriptedProvider(), {
    signInProgram: async () => ({ command: '/bin/sh', args: [program] }),
    signedIn,
  });
  const marker = createProcessMarker();
  server = await startTestServer({
    provider,
    openPtys: () => openPtyHost({ marker, log: silentLog, graceMs: 300 }),
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: folder, OUT: join(folder, 'out') },
  });
}
const signIn = (cliType: string) =>
  server.call<{ terminalId: string; error: { code: string } }>('POST', `/api/providers/${cliType}/sign-in`, {});
const terminals = (): TerminalSummary[] => server.served.terminals.all();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'liminal-sign-in-'));
  signedIn.mockClear();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('TM-7: signing in to an agent', () => {
  it('runs its own sign-in in a terminal outside any project, and restarts idle agents once it succeeds', async () => {
    await startWith('pwd > "$OUT"; exit 0');
    const sessionId = await server.newSession();
    expect(server.provider.isAlive(sessionId)).toBe(true);
    const { status, body } = await signIn('scripted');
    expect(status).toBe(201);
    expect(terminals()).toMatchObject([
      { terminalId: body.terminalId, kind: 'sign-in', cliType: 'scripted', projectId: null },
    ]);
    await vi.waitFor(() => expect(server.provider.isAlive(sessionId)).toBe(false), patience);
    expect(signedIn).toHaveBeenCalledOnce();
    expect(readFileSync(join(folder, 'out'), 'utf8').trim()).toBe(server.folder);
  });

  it('changes nothing when the sign-in fails', async () => {
    await startWith('exit 3');
    const sessionId = await server.newSession();
    await signIn('scripted');
    await vi.waitFor(() => expect(terminals()).toMatchObject([{ running: false, exitCode: 3 }]), patience);
    expect(signedIn).not.toHaveBeenCalled();
    expect(server.provider.isAlive(sessionId)).toBe(true);
  });

  it('fails for an unknown agent', async () => {
    await startWith('exit 0');
    const { status, body } = await signIn('nobody');
    expect([status, body.error.code]).toEqual([400, 'UNSUPPORTED_CLI_TYPE']);
  });
});
