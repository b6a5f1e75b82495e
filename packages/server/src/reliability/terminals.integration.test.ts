import { readdirSync, readlinkSync } from 'node:fs';
import { WebSocket } from 'ws';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { decodeOutputFrame } from '@liminal/domain/terminal/output-frame';
import { silentLog } from '../processes/testing/silent-log.ts';
import { createProcessMarker } from '../processes/process-marker.ts';
import { livingProcesses } from '../processes/testing/list-processes.ts';
import { openPtyHost } from '../terminals/pty/script.ts';
import { startTestServer } from '../testing/test-server.ts';
import { printFigures } from './testing/figures.ts';
import { createRecordedProgram, type RecordedProgram, type Running } from './testing/recorded-program.ts';
import { patience, scaled, testTimeout } from './testing/torture.ts';

const programs: RecordedProgram[] = [];
afterAll(async () => {
  await Promise.all(programs.splice(0).map((program) => program.cleanup()));
});

const orNone = (read: () => string[]): string[] => {
  try {
    return read();
  } catch {
    return [];
  }
};
/** What its descriptors refer to. None for a process that has ended: a tool starts others on its way. */
const linksOf = (pid: number): string[] =>
  orNone(() => readdirSync(`/proc/${pid}/fd`)).flatMap((fd) => orNone(() => [readlinkSync(`/proc/${pid}/fd/${fd}`)]));
const living = async (pids: readonly number[]): Promise<number[]> =>
  (await livingProcesses()).map(({ pid }) => pid).filter((pid) => pids.includes(pid));

/** Types a line into a new terminal and waits for output that matches the pattern. */
async function runInTerminal({ api, ready }: Running, folder: string, line: string, pattern: RegExp) {
  const { projectId } = (await api.call<{ projectId: string }>('POST', '/api/projects', { dir: folder })).body;
  await api.call('POST', `/api/projects/${projectId}/trust`, { trusted: true });
  const opened = await api.call<{ terminalId: string }>('POST', `/api/projects/${projectId}/terminals`, {});
  const { terminalId } = opened.body;
  const { port, token } = ready;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { authorization: `Bearer ${token}` } });
  socket.on('error', () => {});
  let text = '';
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) text += Buffer.from(decodeOutputFrame(data)?.output ?? []).toString();
  });
  socket.on('open', () => {
    for (const message of [{ type: 'terminal:attach' }, { type: 'terminal:input', data: `${line}\r` }])
      socket.send(JSON.stringify({ ...message, terminalId }));
  });
  return vi.waitFor(() => {
    const found = pattern.exec(text);
    if (!found) throw new Error(`Printed so far: ${text}`);
    return found.slice(1).map(Number);
  }, patience);
}

describe('terminals of a server that dies', () => {
  it(
    'TM-3: leave no process after kill -9, even one that called setsid, cleared its environment and ignores signals',
    async () => {
      const recorded = createRecordedProgram();
      programs.push(recorded);
      const running = await recorded.start();
      const pids = await runInTerminal(
        running,
        recorded.folder,
        `trap '' HUP TERM; (setsid sleep 300 & a=$!; env -i setsid sleep 300 & echo "pids $$ $a $! ."); sleep 300`,
        /pids (\d+) (\d+) (\d+) \./,
      );
      expect(await living(pids)).toHaveLength(3);
      const began = performance.now();
      running.program.child.kill('SIGKILL');
      await running.program.exited;
      await vi.waitFor(async () => expect(await living(pids)).toEqual([]), patience);
      const took = `${Math.round(performance.now() - began)} ms`;
      printFigures('orphans of terminals after SIGKILL', { orphans: (await living(pids)).length, 'gone after': took });
    },
    testTimeout,
  );

  it(
    'TM-3: can’t be reached by an agent that starts while they are open',
    async () => {
      const recorded = createRecordedProgram();
      programs.push(recorded);
      const running = await recorded.start();
      await runInTerminal(running, recorded.folder, 'echo "shell=$$ ."', /shell=(\d+) \./);
      const sessionId = await running.api.newSession('recording', recorded.folder);
      await running.api.send(sessionId, 'tool');
      await vi.waitFor(async () => expect(await recorded.agents()).toHaveLength(2), patience);
      const links = (await recorded.agents()).map(linksOf);
      // At least the agent itself is there.
      expect(links.some((found) => found.length > 2)).toBe(true);
      expect(links.flat().filter((link) => /ptmx|\/pts\//.test(link))).toEqual([]);
    },
    testTimeout,
  );
});

describe('terminals that come and go', () => {
  it(
    'TM-3: leave no descriptor, process or listener behind',
    async () => {
      const marker = createProcessMarker();
      const server = await startTestServer({
        openPtys: () => openPtyHost({ marker, log: silentLog, graceMs: 300 }),
        env: { PATH: process.env['PATH'], SHELL: '/bin/sh' },
      });
      const { projectId } = (await server.call<{ projectId: string }>('POST', '/api/projects', { dir: server.folder }))
        .body;
      await server.call('POST', `/api/projects/${projectId}/trust`, { trusted: true });
      const openAndClose = async (): Promise<void> => {
        const url = `/api/projects/${projectId}/terminals`;
        const { terminalId } = (await server.call<{ terminalId: string }>('POST', url, {})).body;
        expect((await server.call('DELETE', `/api/terminals/${terminalId}`)).status).toBe(204);
      };
      const children = async () => (await livingProcesses()).filter(({ parent }) => parent === process.pid).length;
      const terminalLinks = () => linksOf(process.pid).filter((link) => /ptmx|\/pts\//.test(link)).length;
      await openAndClose();
      const before = { links: terminalLinks(), children: await children() };
      const rounds = scaled(5, 50);
      for (let round = 0; round < rounds; round += 1) await Promise.all(Array.from({ length: 4 }, openAndClose));
      const after = await vi.waitFor(async () => {
        const now = { links: terminalLinks(), children: await children() };
        expect(now).toEqual(before);
        return now;
      }, patience);
      expect(server.served.terminals.all()).toEqual([]);
      await server.close();
      printFigures('terminals opened and closed', {
        terminals: rounds * 4,
        'descriptors left': after.links - before.links,
        'processes left': after.children - before.children,
      });
    },
    testTimeout,
  );
});
