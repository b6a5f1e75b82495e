import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '@liminal/stand-ins/agent-homes';
import { type Program, type Ready, startProgram } from '@liminal/stand-ins/testing/start-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from './connect.ts';
import { connectLight, type GetText } from './connect-light.ts';
import { FollowError, followSession } from './follow-session.ts';
import { nodeSockets } from './node-socket.ts';
import { readMessage } from './read-message.ts';

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const examples = [...readme.matchAll(/^## (.+)\n+```js\n([^`]+|`(?!``))*?```/gm)].map((found) => ({
  title: found[1] ?? '',
  code: found[0].slice(found[0].indexOf('```js\n') + 6, -3),
}));
const project = projectFolder();
const folder = mkdtempSync(join(tmpdir(), 'liminal-examples-'));
symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
let program: Program;
let ready: Ready;
beforeAll(async () => {
  program = startProgram({ env: { LIMINAL_DEMO_SPEED: '20' } });
  ready = await program.ready;
});
afterAll(async () => {
  await program.stop();
  project.cleanup();
  rmSync(folder, { recursive: true, force: true });
});

const client = () => connect({ url: ready.url, token: ready.token });
const getText: GetText = async (address, headers) => {
  const reply = await fetch(address, { headers, redirect: 'manual' });
  return { status: reply.status, text: await reply.text() };
};
const newSession = async () => {
  const created = await client().session.create({ cliType: 'demo', projectDir: project.dir });
  return created.ok ? created.value.sessionId : expect.unreachable(created.failure.message);
};

describe('the client against the real server', () => {
  const expected: Record<string, RegExp> = {
    'Start a session and wait for the answer': /^done .*Say hello/s,
    'Follow a session': /^(open (idle|working|asleep) \d+\n)+$/,
    'Answer a permission request': /^rm -rf build done\n$/,
    'List the sessions that need you': /: 0 waiting\n$/,
    'Stop waiting after a while': /^TimeoutError\n$/,
  };

  it('has five examples in its README', () => {
    expect(examples.map(({ title }) => title)).toEqual(Object.keys(expected));
  });

  it.each(examples)('CL-2: runs the example "$title" as printed in the README', async ({ title, code }) => {
    const file = join(folder, `${title.replaceAll(' ', '-')}.mjs`);
    writeFileSync(file, code);
    const { stdout } = await promisify(execFile)(process.execPath, [file], {
      cwd: project.dir,
      env: { ...process.env, LIMINAL_URL: ready.url, LIMINAL_TOKEN: ready.token },
    });
    expect(stdout).toMatch(expected[title] ?? /^$/);
  });

  it('CL-2: follows a session with ws if Node has no WebSocket', async () => {
    const sessionId = await newSession();
    const open = await nodeSockets(null);
    const address = new URL('ws', ready.url.replace('http', 'ws'));
    const openSocket = () => open(address, { authorization: `Bearer ${ready.token}` });
    for await (const { timeline, connection } of followSession(
      { api: client(), openSocket, read: readMessage },
      sessionId,
    )) {
      expect([timeline.status?.state, connection.phase]).toEqual(['open', 'open']);
      break;
    }
    const wrong = () => open(address, { authorization: 'Bearer wrong' });
    const api = connect({ url: ready.url, token: 'wrong-token-of-some-length' });
    await expect(followSession({ api, openSocket: wrong, read: readMessage }, sessionId).next()).rejects.toThrow(
      FollowError,
    );
  });

  it('lists and waits the same with and without schemas', async () => {
    const sessionId = await newSession();
    const light = connectLight({ url: ready.url, token: ready.token }, getText);
    expect(await light.project.list()).toEqual(await client().project.list());
    const [project0] = await client()
      .project.list()
      .then((reply) => (reply.ok ? reply.value.projects : []));
    const query = { projectId: project0?.projectId, scope: 'all' } as const;
    expect(await light.session.list(query)).toEqual(await client().session.list(query));
    expect(await light.session.status(sessionId)).toEqual(await client().session.status(sessionId));
    const sent = await client().open(sessionId).send('Say hello');
    const turnId = sent.ok ? sent.value.turnId : '';
    expect((await light.open(sessionId).settled(turnId)).progress).toEqual({ state: 'done', turnId });
    await expect(light.open('none').settled()).rejects.toMatchObject({ failure: { code: 'SESSION_NOT_FOUND' } });
    const stranger = connectLight({ url: ready.url, token: 'wrong-token-of-some-length' }, getText);
    expect(await stranger.project.list()).toMatchObject({ ok: false, failure: { code: 'UNAUTHORIZED' } });
    const nobody = connectLight({ url: 'http://127.0.0.1:1/', token: 'x' }, getText);
    expect(await nobody.project.list()).toMatchObject({ ok: false, failure: { code: 'UNREACHABLE' } });
  });

  it('fails for a session that does not exist, and for a wrong token', async () => {
    await expect(client().open('none').settled()).rejects.toMatchObject({ failure: { code: 'SESSION_NOT_FOUND' } });
    const stranger = connect({ url: ready.url, token: 'wrong-token-of-some-length' });
    await expect(stranger.open('none').settled()).rejects.toMatchObject({ failure: { code: 'UNAUTHORIZED' } });
  });

  it('CL-2: never sends the token across a redirect, or to another machine without encryption', async () => {
    const heard: string[] = [];
    const elsewhere = createServer((request, reply) => {
      heard.push(request.headers.authorization ?? '');
      reply.end('{}');
    });
    elsewhere.listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const { port } = elsewhere.address() as { port: number };
    const sender = createServer((_request, reply) => {
      reply.writeHead(307, { location: `http://127.0.0.1:${port}/api/session/list` }).end();
    });
    sender.listen(0, '127.0.0.1');
    await once(sender, 'listening');
    const url = `http://127.0.0.1:${(sender.address() as { port: number }).port}/`;
    const sent = connect({ url, token: ready.token });
    for (const each of [sent, connectLight({ url, token: ready.token }, getText)])
      expect(await each.session.list({})).toMatchObject({ ok: false, failure: { code: 'REDIRECTED' } });
    await expect(sent.open('s').follow().next()).rejects.toMatchObject({ failure: { code: 'REDIRECTED' } });
    expect(heard).toEqual([]);
    expect(() => connect({ url: 'http://example.org/', token: ready.token })).toThrow('without encryption');
    sender.close();
    elsewhere.close();
  });
});
