import { once } from 'node:events';
import { createConnection } from 'node:net';
import { pageSecretHeader, socketProtocols } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { type Headers, sendRequest } from './testing/send-request.ts';
import { createRandom } from './testing/random.ts';
import { report } from './testing/report.ts';
import { openRudeSocket, type RudeSocket } from './testing/rude-socket.ts';
import { createTokenHolder, type TokenHolder } from './testing/token-holder.ts';
import { scaled, seed, testTimeout } from './testing/torture.ts';
import { until } from './testing/until.ts';

const rounds = scaled(10, 300);
const sockets = scaled(20, 200);

let holder: TokenHolder;
let server: TestServer;
let port: number;
beforeEach(async () => {
  holder = createTokenHolder();
  server = await startTestServer(holder);
  port = await server.served.listen();
});
afterEach(() => server.close());

const bearer = (token = holder.token()): Headers => ({ host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` });
const signIn = async (): Promise<string> => {
  const { text } = await sendRequest(port, { method: 'POST', path: '/api/sign-in', headers: bearer() });
  return (JSON.parse(text) as { secret: string }).secret;
};
const asPage = (secret: string): Headers => ({
  host: `127.0.0.1:${port}`,
  origin: `http://127.0.0.1:${port}`,
  [pageSecretHeader]: secret,
});
const rotate = (headers: Headers) => sendRequest(port, { method: 'POST', path: '/api/token/rotate', headers });
const sentCount = (): number => server.provider.sent.length + server.provider.created.length;

/** A request whose body stops halfway. Resolves with the full response after the rest is sent. */
async function startSlowly(path: string, headers: Headers, body: string, cut: number) {
  const socket = createConnection(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  socket.on('error', () => socket.destroy());
  const all = {
    ...headers,
    'content-type': 'application/json',
    'content-length': String(body.length),
    connection: 'close',
  };
  const lines = Object.entries(all).map((line) => line.join(': '));
  const reached = once(server.served.app.server, 'request');
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body.slice(0, cut)}`);
  await reached;
  return async (): Promise<string> => {
    const closed = once(socket, 'close');
    socket.write(body.slice(cut));
    await closed;
    return text;
  };
}

describe('rotating the token', { timeout: testTimeout }, () => {
  it(`serves no request whose body was still arriving (seed ${seed})`, async () => {
    const random = createRandom(seed);
    const answers: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const isPage = round % 2 === 1;
      const headers = isPage ? asPage(await signIn()) : bearer();
      const body = JSON.stringify({ cliType: server.provider.cliType, projectDir: server.folder });
      const finish = await startSlowly('/api/session/create', headers, body, random.below(body.length));
      const before = sentCount();
      expect((await rotate(bearer())).status).toBe(200);
      answers.push(await finish());
      expect(sentCount()).toBe(before);
    }
    const served = answers.filter((answer) => !/^HTTP\/1.1 401 /.test(answer));
    expect(served).toEqual([]);
    const figure = `${answers.length} sent, ${served.length} served (seed ${seed})`;
    report('Rotation', 'requests whose body was still arriving', figure);
  });

  it('stops every socket at once, even those that ignore the close', async () => {
    const secret = await signIn();
    const page = { ...asPage(secret), 'sec-websocket-protocol': socketProtocols(secret).join(', ') };
    const rude = await Promise.all(
      Array.from({ length: sockets }, (_, count) => openRudeSocket(port, count % 2 ? page : bearer())),
    );
    for (const socket of rude) socket.say({ type: 'ping' });
    await until(() => rude.every((socket) => socket.opcodes().includes(1)), 'an answer on every socket');
    const before = rude.map((socket) => socket.opcodes().length);
    expect((await rotate(bearer())).status).toBe(200);
    const payload = { type: 'acp', payload: { agentId: server.provider.cliType, cwd: server.folder } };
    const act = (socket: RudeSocket, task: string): void => {
      socket.say({ type: 'ping' });
      socket.say({ type: 'directory:subscribe' });
      socket.say({ type: 'invoke', id: task, channel: 'agent:connect', args: [task, payload] });
    };
    rude.forEach((socket, place) => act(socket, `task-${place}`));
    await Promise.all(rude.map(({ closed }) => closed));
    const after = rude.map((socket, at) => socket.opcodes().slice(before[at]));
    expect(after).toEqual(rude.map(() => [8]));
    const answered = after.filter((opcodes) => opcodes.some((opcode) => opcode !== 8)).length;
    const acts = sentCount();
    expect(acts).toBe(0);
    // The same message works on a permitted socket, so nothing above was refused for another reason.
    act(await openRudeSocket(port, bearer()), 'welcome');
    await until(() => sentCount() === 1, 'the act of a socket with the new token');
    const figure = `${rude.length} open, ${answered} answered and ${acts} actions after the rotation`;
    report('Rotation', 'sockets that ignore the close', figure);
  });

  it('happens once, however many requests with the old token ask for it', async () => {
    const old = bearer();
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate(old)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
  });

  it('invalidates the secret and cookie of every browser except the one that asked', async () => {
    const secret = await signIn();
    const reads = (headers: Headers) => sendRequest(port, { method: 'GET', path: '/api/projects', headers });
    expect((await reads(asPage(secret))).status).toBe(200);
    const answer = await rotate(asPage(secret));
    const { secret: fresh, token } = JSON.parse(answer.text) as { secret: string; token?: string };
    expect(token).toBeUndefined();
    expect([(await reads(asPage(secret))).status, (await reads(asPage(fresh))).status]).toEqual([401, 200]);
  });
});
