import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangesReply, Project, ServerMessage } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGit } from '../../git/real-git.ts';
import { createGitRunner } from '../../git/run-git.ts';
import { createTestRepository, type TestRepository } from '../../git/testing/test-repository.ts';
import { connectSocket, type SocketClient } from '../../testing/socket-client.ts';
import { portOf, startTestServer, type TestServer } from '../../testing/test-server.ts';

let tools: TestRepository;
let repository: TestRepository;
let server: TestServer;
let socket: SocketClient;

beforeEach(async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  repository = createTestRepository();
  repository.put('src/a.txt', 'one\n');
  repository.commit();
  // Every git process of the server adds a line here.
  tools = createTestRepository({ init: false });
  tools.put('git', `#!/bin/sh\necho x >> '${tools.dir}/log'\nexec git "$@"\n`, 0o755);
  const git = createGit({ runner: createGitRunner({ command: join(tools.dir, 'git') }) });
  server = await startTestServer({ folder: repository.dir, git });
  await server.served.listen();
  const { body } = await server.call<Project>('POST', '/api/projects', { dir: repository.dir });
  await server.call('POST', `/api/projects/${body.projectId}/trust`, { trusted: true });
  socket = await connectSocket(portOf(server.served));
});
afterEach(async () => {
  await socket.close();
  await server.close();
  repository.cleanup();
  tools.cleanup();
  vi.useRealTimers();
});

const processes = (): number => {
  const log = (() => {
    try {
      return readFileSync(join(tools.dir, 'log'), 'utf8');
    } catch {
      return '';
    }
  })();
  return log.length / 2;
};
const isChange = (message: ServerMessage) => message.type === 'session:changes';
const changed = () => socket.messages.filter(isChange).length;
/** Follows a session and opens its review; resolves when its folder is watched. */
async function openReview(sessionId: string): Promise<void> {
  socket.say({ type: 'session:subscribe', sessionId });
  await socket.next(({ type }) => type === 'session:history');
  socket.say({ type: 'session:watch', sessionId, watching: true });
  const opened = server.served.roster.get(sessionId);
  if (!opened.ok) return expect.unreachable();
  await expect.poll(async () => (await opened.value.watching.mark()) !== null).toBe(true);
}

describe('an open review', () => {
  it('RV-2: reports when the folder changed, until it is closed', async () => {
    const sessionId = await server.newSession();
    await openReview(sessionId);
    repository.put('src/a.txt', 'two\n');
    expect(await socket.next(isChange)).toMatchObject({ sessionId, payload: { watching: 'folder' } });
    socket.say({ type: 'session:watch', sessionId, watching: false });
    socket.say({ type: 'ping' });
    await socket.next(({ type }) => type === 'pong');
    const told = changed();
    const { value } = server.served.roster.get(sessionId) as { value: { watching: { mark(): Promise<unknown> } } };
    await expect.poll(() => value.watching.mark()).toBeNull();
    repository.put('src/a.txt', 'three\n');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(changed()).toBe(told);
  });

  it('RV-2: ends when the page disconnects', async () => {
    const sessionId = await server.newSession();
    await openReview(sessionId);
    await socket.close();
    const opened = server.served.roster.get(sessionId);
    await expect.poll(() => (opened.ok ? opened.value.watching.mark() : 'gone')).toBeNull();
  });

  it('G-3: starts no process in a minute in which nothing happens', async () => {
    const sessionId = await server.newSession();
    await openReview(sessionId);
    const { body } = await server.call<ChangesReply>('GET', `/api/session/${sessionId}/changes`);
    expect(body.source).toBe('git');
    const before = processes();
    expect(before).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([processes(), changed()]).toEqual([before, 0]);
  });

  it("RV-2: says that an untrusted folder isn't watched", async () => {
    const { body } = await server.call<Project>('POST', '/api/projects', { dir: repository.dir });
    await server.call('POST', `/api/projects/${body.projectId}/trust`, { trusted: false });
    const sessionId = await server.newSession();
    socket.say({ type: 'session:subscribe', sessionId });
    socket.say({ type: 'session:watch', sessionId, watching: true });
    expect(await socket.next(isChange)).toMatchObject({ payload: { watching: 'off' } });
    expect(processes()).toBe(0);
  });
});

describe('a user who is typing', () => {
  /** How many git processes ran from the send until the agent had the message. */
  const send = async (sessionId: string): Promise<number> => {
    const [before, sent] = [processes(), server.provider.sent.length];
    const { body } = await server.call<{ turnId: string }>('POST', `/api/session/${sessionId}/send`, { content: 'go' });
    await expect.poll(() => server.provider.sent.length).toBe(sent + 1);
    const count = processes() - before;
    server.provider.start(sessionId, body.turnId);
    server.provider.end(sessionId);
    await expect.poll(() => server.store.checkpoint(sessionId, body.turnId)?.after ?? null).not.toBeNull();
    return count;
  };
  const prepare = async (sessionId: string): Promise<void> => {
    const { status } = await server.call('POST', `/api/session/${sessionId}/prepare`);
    expect(status).toBe(204);
    const opened = server.served.roster.get(sessionId);
    if (opened.ok) await opened.value.checkpoints.idle();
  };

  it('CP-1: finds the folder already recorded when the message is sent, unless something changed since', async () => {
    const sessionId = await server.newSession();
    const unprepared = await send(sessionId);
    await prepare(sessionId);
    const prepared = await send(sessionId);
    // Only the ref is written, besides what starting a watch takes.
    expect(prepared).toBeLessThan(unprepared - 3);
    await prepare(sessionId);
    repository.put('src/a.txt', 'changed while typing\n');
    await send(sessionId);
    const tree = server.store.checkpoints(sessionId).at(-1)?.before?.tree ?? '';
    expect(repository.git('cat-file', 'blob', `${tree}:src/a.txt`)).toBe('changed while typing\n');
  });

  it('CP-1: is not delayed by a folder that has vanished', async () => {
    const sessionId = await server.newSession();
    await prepare(sessionId);
    rmSync(join(repository.dir, '.git'), { recursive: true });
    const sent = server.provider.sent.length;
    await server.call('POST', `/api/session/${sessionId}/send`, { content: 'go' });
    await expect.poll(() => server.provider.sent.length).toBe(sent + 1);
  });
});
