import { realpathSync } from 'node:fs';
import type { ServerMessage, TerminalSummary } from '@liminal/contracts';
import { decodeOutputFrame } from '@liminal/domain/terminal/output-frame';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../processes/testing/silent-log.ts';
import { createProcessMarker } from '../processes/process-marker.ts';
import { livingProcesses } from '../processes/testing/list-processes.ts';
import { connectSocket, type SocketClient } from '../testing/socket-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { openPtyHost } from './pty/script.ts';

const patience = { timeout: 20_000, interval: 10 };
const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: '/nonexistent', SHELL: '/bin/bash' };
const clients: SocketClient[] = [];
let server: TestServer;
let port: number;
let projectId: string;

beforeEach(async () => {
  const marker = createProcessMarker();
  server = await startTestServer({ openPtys: () => openPtyHost({ marker, log: silentLog, graceMs: 300 }), env });
  port = await server.served.listen();
  const added = await server.call<{ projectId: string }>('POST', '/api/projects', { dir: server.folder });
  ({ projectId } = added.body);
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server.close();
});

const trust = () => server.call('POST', `/api/projects/${projectId}/trust`, { trusted: true });
const openTerminal = async (body: object = {}) => {
  const opened = await server.call<{ terminalId: string }>('POST', `/api/projects/${projectId}/terminals`, body);
  expect(opened.status).toBe(201);
  return opened.body.terminalId;
};
const exitOf = (terminalId: string) => (message: ServerMessage) =>
  message.type === 'terminal:exit' && message.terminalId === terminalId;

/** A browser that watches a terminal and shows all of it. */
async function look(terminalId: string, { offset, acks = true }: { offset?: number; acks?: boolean } = {}) {
  const client = await connectSocket(port);
  clients.push(client);
  const seen = { text: '', bytes: 0, frames: 0, end: offset ?? 0 };
  client.socket.on('message', (data: Buffer, isBinary) => {
    const frame = isBinary ? decodeOutputFrame(data) : null;
    if (frame?.kind !== 'output') return;
    seen.text = (seen.text + Buffer.from(frame.output).toString()).slice(-20_000);
    seen.bytes += frame.output.length;
    seen.frames += 1;
    seen.end = frame.offset + frame.output.length;
    if (acks) client.say({ type: 'terminal:ack', terminalId, offset: seen.end });
  });
  client.say({ type: 'terminal:attach', terminalId, ...(offset === undefined ? {} : { offset }) });
  const shows = (pattern: RegExp) => vi.waitFor(() => expect(seen.text).toMatch(pattern), patience);
  const type = (data: string) => client.say({ type: 'terminal:input', terminalId, data });
  return { client, seen, shows, type };
}

describe('terminals over HTTP and the socket', () => {
  it('TM-4: are refused in an untrusted folder, and nothing starts', async () => {
    const refused = await server.call('POST', `/api/projects/${projectId}/terminals`, {});
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'PROJECT_NOT_TRUSTED' } } });
    expect(server.served.terminals.all()).toEqual([]);
    const unknown = await server.call('POST', '/api/projects/none/terminals', {});
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'PROJECT_NOT_FOUND' } } });
  });

  it.each([{ cols: 0 }, { cols: 100_000 }, { rows: 1.5 }, { command: '' }, { command: 7 }])(
    'refuse nonsense: %j',
    async (body) => {
      await trust();
      expect((await server.call('POST', `/api/projects/${projectId}/terminals`, body)).status).toBe(400);
    },
  );

  it("TM-1: run the user's shell in the project; two browsers see the same, and a reload continues from its offset", async () => {
    await trust();
    const terminalId = await openTerminal({ cols: 100, rows: 30 });
    const one = await look(terminalId);
    one.type('echo "at=$(pwd) size=$(stty size) agent=[$LIMINAL_AGENT_MARK]"\r');
    await one.shows(new RegExp(`at=${realpathSync(server.folder)} size=30 100 agent=\\[\\]`));
    const two = await look(terminalId);
    await two.shows(/at=\//);
    expect(two.seen.text).toBe(one.seen.text);
    const { end } = one.seen;
    await one.client.close();
    two.type('echo aga""in\r');
    await two.shows(/again/);
    const back = await look(terminalId, { offset: end });
    await back.shows(/again/);
    expect(back.seen.text).not.toContain('size=30 100');
    two.client.say({ type: 'terminal:resize', terminalId, cols: 61, rows: 17 });
    const resized = (message: ServerMessage) => message.type === 'terminal:state' && message.cols === 61;
    expect(await back.client.next(resized)).toMatchObject({ cols: 61, rows: 17, running: true, answers: false });
  });

  it('TM-3: show the exit code, stay listed as ended, and can be closed', async () => {
    await trust();
    const terminalId = await openTerminal({ command: 'echo done; exit 7' });
    const reader = await look(terminalId);
    expect(await reader.client.next(exitOf(terminalId))).toMatchObject({ exitCode: 7 });
    expect(reader.seen.text).toBe('done\r\n');
    const listed = await server.call('GET', `/api/projects/${projectId}/terminals`);
    expect(listed.body['terminals']).toMatchObject([{ terminalId, kind: 'command', running: false, exitCode: 7 }]);
    const killed = await openTerminal({ command: 'kill -9 $$' });
    const other = await look(killed);
    expect(await other.client.next(exitOf(killed))).toMatchObject({ exitCode: null });
    expect((await server.call('DELETE', `/api/terminals/${terminalId}`)).status).toBe(204);
    expect(await server.call('DELETE', `/api/terminals/${terminalId}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'TERMINAL_NOT_FOUND' } },
    });
  });

  it('TM-3: end with their project, with everything they started', async () => {
    await trust();
    const terminalId = await openTerminal();
    const reader = await look(terminalId);
    reader.type('setsid sleep 300 & echo "left=$!="\r');
    await reader.shows(/left=\d+=/);
    const left = Number(/left=(\d+)=/.exec(reader.seen.text)?.[1]);
    expect((await server.call('DELETE', `/api/projects/${projectId}`)).status).toBe(204);
    await reader.client.next(exitOf(terminalId));
    expect((await livingProcesses()).some(({ pid }) => pid === left)).toBe(false);
    expect(server.served.terminals.all()).toEqual([]);
  });

  it('TM-2: make endless output wait for its reader without affecting others, and stop it with Ctrl+C', async () => {
    await trust();
    const [endless, quiet] = [await openTerminal(), await openTerminal()];
    const [slow, other] = [await look(endless, { acks: false }), await look(quiet)];
    slow.type('yes\r');
    await vi.waitFor(() => expect(slow.seen.bytes).toBeGreaterThan(200_000), patience);
    other.type('echo al""ive\r');
    await other.shows(/alive/);
    // Nothing was acknowledged, so the reader got no more than its window.
    expect(slow.seen.bytes).toBeLessThan(400_000);
    const fast = await look(endless);
    await vi.waitFor(() => expect(fast.seen.bytes).toBeGreaterThan(3_000_000), patience);
    expect(fast.seen.bytes / fast.seen.frames).toBeGreaterThan(4_096);
    fast.type('\u0003');
    fast.type('echo stop""ped\r');
    await fast.shows(/\^C[\s\S]*stopped\r\n/);
  });

  it('reject invalid messages, and continue', async () => {
    await trust();
    const terminalId = await openTerminal();
    const { client, type, shows } = await look(terminalId);
    const bad = [
      { type: 'terminal:attach' },
      { type: 'terminal:attach', terminalId, offset: -1 },
      { type: 'terminal:input', terminalId, data: 7 },
      { type: 'terminal:input', terminalId, data: 'x'.repeat(70_000) },
      { type: 'terminal:resize', terminalId, cols: 1e9, rows: 1 },
      { type: 'terminal:ack', terminalId, offset: 'all' },
      { type: 'terminal:attach', terminalId: 'none' },
      { type: 'terminal:input', terminalId: 'none', data: 'x' },
      { type: 'terminal:resize', terminalId: 'none', cols: 80, rows: 24 },
    ];
    for (const message of bad) client.say(message);
    client.say({ type: 'terminal:ack', terminalId, offset: 1e15 });
    client.socket.send(Buffer.from([1, 2, 3]));
    const errors = () => client.messages.flatMap((message) => (message.type === 'error' ? [message.code] : []));
    await vi.waitFor(() => expect(errors()).toHaveLength(bad.length + 1), patience);
    expect(new Set(errors())).toEqual(new Set(['INVALID_REQUEST', 'TERMINAL_NOT_FOUND']));
    type('echo st""ill\r');
    await shows(/still/);
  });

  it('TM-6: notify all followers when one opens, listens on a port, ends or is closed', async () => {
    await trust();
    const client = await connectSocket(port);
    clients.push(client);
    client.say({ type: 'terminals:subscribe' });
    const shows = (fits: (terminals: readonly TerminalSummary[]) => boolean) =>
      client.next((message) => message.type === 'terminals:changed' && fits(message.terminals));
    await shows((terminals) => terminals.length === 0);
    const listen = `require('http').createServer().listen(0, '127.0.0.1', function () { console.log('up ' + this.address().port) })`;
    const program = `${listen}; process.stdin.once('data', () => process.exit())`;
    const terminalId = await openTerminal({ command: `'${process.execPath}' -e "${program}"`, title: 'Dev server' });
    await shows(([only]) => only?.running === true && only.title === 'Dev server');
    const { type, seen, shows: prints } = await look(terminalId);
    await prints(/up \d+\r\n/);
    const opened = Number(/up (\d+)/.exec(seen.text)?.[1]);
    await shows(([only]) => only?.ports?.some(({ port, reach }) => port === opened && reach === 'loopback') === true);
    type('\r');
    await shows(([only]) => only?.running === false && only.ports === undefined);
    await server.call('DELETE', `/api/terminals/${terminalId}`);
    await vi.waitFor(() => expect(client.messages.at(-1)).toMatchObject({ terminals: [] }), patience);
  });
});
