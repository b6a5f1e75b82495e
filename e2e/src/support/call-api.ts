import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Ready } from '@liminal/stand-ins/testing/start-program';

/** A request from an API client; throws on failure. */
export async function callApi<T>(
  { port, token }: Pick<Ready, 'port' | 'token'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const reply = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as T;
}

/** Sessions of the demo agent, each in a project of that name, with one message sent. */
export async function playDemo(
  ready: Ready,
  folders: string,
  sessions: readonly (readonly [project: string, words: string])[],
): Promise<void> {
  for (const [project, words] of sessions) {
    const projectDir = join(folders, project);
    mkdirSync(projectDir, { recursive: true });
    const create = { cliType: 'demo', projectDir };
    const { sessionId } = await callApi<{ sessionId: string }>(ready, 'POST', 'session/create', create);
    await callApi(ready, 'POST', `session/${sessionId}/send`, { content: words });
  }
}
