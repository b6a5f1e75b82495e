import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { WebSocket } from 'ws';
import { decodeOutputFrame } from '@liminal/domain/terminal/output-frame';
import type { Random } from './random.ts';
import type { Running } from './recorded-program.ts';
import { patience } from './torture.ts';

/** The most sessions in the list. The user deletes the oldest. */
const mostSessions = 12;

export type SoakLife = { act(): Promise<void>; readonly acts: Readonly<Record<string, number>> };

/** A user's days with the program at high speed: one random action after another. */
export async function beginLife({ api, ready }: Running, folder: string, random: Random): Promise<SoakLife> {
  const { projectId } = (await api.call<{ projectId: string }>('POST', '/api/projects', { dir: folder })).body;
  await api.call('POST', `/api/projects/${projectId}/trust`, { trusted: true });
  const sessions: string[] = [];
  const counts: Record<string, number> = {};
  let files = 0;

  const connect = async (): Promise<WebSocket> => {
    const headers = { authorization: `Bearer ${ready.token}` };
    const socket = new WebSocket(`ws://127.0.0.1:${ready.port}/ws`, { headers });
    socket.on('error', () => {});
    await once(socket, 'open');
    return socket;
  };
  const say = (socket: WebSocket, message: object): void => socket.send(JSON.stringify(message));
  const isIdle = (sessionId: string) =>
    vi.waitFor(async () => {
      const { activity } = await api.status(sessionId);
      expect(['idle', 'asleep']).toContain(activity);
    }, patience);
  const send = async (sessionId: string, content: string): Promise<void> => {
    const { status } = await api.send(sessionId, content);
    expect(status).toBe(202);
  };
  const some = async (): Promise<string> => sessions[random.below(sessions.length)] ?? create();
  const create = async (): Promise<string> => {
    const sessionId = await api.newSession('recording', folder);
    sessions.push(sessionId);
    await send(sessionId, 'say 20');
    await isIdle(sessionId);
    if (sessions.length > mostSessions) await api.call('DELETE', `/api/session/${sessions.shift()}`);
    return sessionId;
  };

  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    session: create,
    async message() {
      const sessionId = await some();
      await send(sessionId, `say ${1 + random.below(100)}`);
      await isIdle(sessionId);
    },
    /** Reads the output, and loses the connection in the middle. */
    async cut() {
      const sessionId = await some();
      const socket = await connect();
      const heard = once(socket, 'message');
      say(socket, { type: 'directory:subscribe' });
      say(socket, { type: 'session:subscribe', sessionId, encoding: 'append' });
      await send(sessionId, 'say 60');
      await heard;
      socket.terminate();
      await isIdle(sessionId);
    },
    async cancel() {
      const sessionId = await some();
      await send(sessionId, 'hang');
      await vi.waitFor(async () => expect((await api.status(sessionId)).activity).toBe('working'), patience);
      await api.call('POST', `/api/session/${sessionId}/cancel`, {});
      await isIdle(sessionId);
    },
    /** The agent dies, and the next message starts another. */
    async death() {
      const sessionId = await some();
      await send(sessionId, 'die');
      await isIdle(sessionId);
    },
    async terminal() {
      const opened = await api.call<{ terminalId: string }>('POST', `/api/projects/${projectId}/terminals`, {});
      const { terminalId } = opened.body;
      const socket = await connect();
      let text = '';
      socket.on('message', (data: Buffer, isBinary) => {
        if (isBinary) text += Buffer.from(decodeOutputFrame(data)?.output ?? []).toString();
      });
      say(socket, { type: 'terminal:attach', terminalId });
      say(socket, { type: 'terminal:input', terminalId, data: 'echo $((20 + 22)) is printed\r' });
      await vi.waitFor(() => expect(text).toContain('42 is printed'), patience);
      await api.call('DELETE', `/api/terminals/${terminalId}`);
      socket.terminate();
    },
    async review() {
      const sessionId = await some();
      const path = `file-${(files += 1) % 20}.txt`;
      writeFileSync(join(folder, path), `line ${files}\nanother\n`);
      const list = await api.call('GET', `/api/session/${sessionId}/changes`);
      const query = new URLSearchParams({ scope: 'uncommitted', path });
      const patch = await api.call('GET', `/api/session/${sessionId}/changes/file?${query.toString()}`);
      expect([list.status, patch.status]).toEqual([200, 200]);
    },
    async reading() {
      const replies = await Promise.all([
        api.call('GET', `/api/session/list?projectId=${projectId}`),
        api.call('GET', '/api/search?q=word'),
        api.call('GET', `/api/session/${await some()}/history`),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    },
  };
  const names = Object.keys(acts);

  return {
    acts: counts,
    async act() {
      const name = names[random.below(names.length)] ?? 'session';
      await acts[name]?.();
      counts[name] = (counts[name] ?? 0) + 1;
    },
  };
}
