import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Program, type ProgramOptions, startProgram } from '@liminal/stand-ins/testing/start-program';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { report } from '../reliability/testing/report.ts';
import { testTimeout } from '../reliability/testing/torture.ts';

const liminal = fileURLToPath(new URL('../../../../scripts/liminal.mjs', import.meta.url));

let dataDir: string;
const programs: Program[] = [];
const start = async (options: ProgramOptions = {}) => {
  const program = startProgram({ dataDir, ...options });
  programs.push(program);
  return program.ready;
};
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'liminal-token-'));
});
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.stop()));
  rmSync(dataDir, { recursive: true, force: true });
});

type Said = { readonly code: number; readonly out: string; readonly errors: string };
const command = (args: readonly string[], env: Record<string, string> = {}): Promise<Said> =>
  new Promise((resolve) => {
    execFile(process.execPath, [liminal, ...args], { env: { ...process.env, ...env } }, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, errors }),
    );
  });
const token = (verb: string, env?: Record<string, string>) => command(['token', verb, '--data-dir', dataDir], env);
const inFile = (): string => readFileSync(join(dataDir, 'token'), 'utf8').trim();
const statusWith = async (port: number, secret: string): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}/api/projects`, { headers: { authorization: `Bearer ${secret}` } })).status;

async function openSocket(port: number, secret: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { authorization: `Bearer ${secret}` } });
  await once(socket, 'open');
  return socket;
}

describe('liminal token rotate', { timeout: testTimeout }, () => {
  it('invalidates the old token, closes open sockets and prints the new address while a server runs', async () => {
    const { port, token: old } = await start();
    const sockets = await Promise.all(Array.from({ length: 5 }, () => openSocket(port, old)));
    const closes = sockets.map((socket) => once(socket, 'close') as Promise<[number, Buffer]>);
    const voided = (async () => {
      while ((await statusWith(port, old)) === 200);
      return performance.now();
    })();
    voided.catch(() => {});
    const said = await token('rotate');
    expect(said).toMatchObject({ code: 0, errors: '' });
    const ends = await Promise.all(closes);
    const took = performance.now() - (await voided);
    expect(ends.map(([code, reason]) => [code, reason.toString()])).toEqual(
      Array.from({ length: 5 }, () => [4401, 'Token rotated.']),
    );
    const fresh = inFile();
    expect(fresh).not.toBe(old);
    expect(said.out).toContain(`http://127.0.0.1:${port}/?token=${fresh}`);
    expect(statSync(join(dataDir, 'token')).mode & 0o777).toBe(0o600);
    expect([await statusWith(port, old), await statusWith(port, fresh)]).toEqual([401, 200]);
    (await openSocket(port, fresh)).terminate();
    expect((await token('show')).out).toContain(`http://127.0.0.1:${port}/?token=${fresh}`);
    report(
      'Access',
      'rotation: from the first rejection of the old token to the last closed socket',
      `${Math.ceil(took)} ms`,
    );
  });

  it('sets the token of the next start if no server runs', async () => {
    const { token: old } = await start();
    await programs.splice(0)[0]!.stop();
    expect((await token('show')).errors).toContain("Liminal Builder isn't running");
    expect(await token('rotate')).toMatchObject({ code: 0 });
    const { token: fresh, port } = await start();
    expect(fresh).toBe(inFile());
    expect(await statusWith(port, old)).toBe(401);
  });

  it('refuses to rotate a token that the user set, and the server keeps it', async () => {
    const given = { LIMINAL_TOKEN: 'given-by-the-person-1234' };
    const { port } = await start({ env: given });
    const ours = await token('rotate', given);
    expect(ours.code).toBe(1);
    expect(ours.errors).toContain('LIMINAL_TOKEN');
    expect((await token('rotate')).errors).toContain('another token');
    expect(await statusWith(port, given.LIMINAL_TOKEN)).toBe(200);
  });

  it('shows no link and no token after the server was killed, because another program may have its port', async () => {
    const { token: secret } = await start();
    await programs.splice(0)[0]!.stop('SIGKILL');
    const { code, out, errors } = await token('show');
    expect(code).toBe(1);
    expect(errors).toContain("Liminal Builder isn't running");
    expect(out + errors).not.toContain(secret);
    await expect(start()).resolves.toMatchObject({ token: secret });
  });

  it('prints a link that works for a token with characters of an address', async () => {
    const given = { LIMINAL_TOKEN: 'a+b&c#d%25e=f?g/h-1234' };
    const { url, port } = await start({ env: given });
    const { out } = await token('show', given);
    expect(out).toContain(url);
    expect((await fetch(url)).status).toBe(200);
    // The page reads the link like this.
    const read = new URL(url).searchParams.get('token') ?? '';
    expect(await statusWith(port, read)).toBe(200);
  });

  it.each([
    [['token'], 'Usage'],
    [['token', 'steal'], 'Usage'],
    [['token', 'rotate', 'now'], 'Usage'],
    [['token', 'rotate', '--data-dir', '/nowhere/at/all'], "doesn't exist. Set it with --data-dir"],
  ])('%j prints what to do', async (args, words) => {
    const { code, errors } = await command(args);
    expect(code).toBeGreaterThan(0);
    expect(errors).toContain(words);
  });
});
