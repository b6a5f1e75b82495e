import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok, type FileDiff, type PermissionRequest, type ToolCallUpsert } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let sessionId: string;
let turnId: string;
let elsewhere: string;
beforeEach(async () => {
  elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'));
  server = await startTestServer({});
  sessionId = await server.newSession();
  turnId = (await server.call<{ turnId: string }>('POST', `/api/session/${sessionId}/send`, { content: 'go' })).body
    .turnId;
  await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
  server.provider.start(sessionId);
});
afterEach(async () => {
  await server.close();
  await rm(elsewhere, { recursive: true });
});

const at = '2026-01-01T00:00:00.000Z';
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');
const inFolder = (name: string): string => join(server.folder, name);

async function asked(diffs: FileDiff[], callId = 'c'): Promise<readonly FileDiff[] | undefined> {
  const request: PermissionRequest = {
    requestId: `r-${callId}`,
    turnId,
    callId,
    kind: 'tool',
    title: 'Write',
    diffs,
    options: [
      { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
      { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
    ],
    openedAt: at,
  };
  server.provider.ask(sessionId, request);
  const opened = await server.served.roster.with(sessionId, async ({ shell }) => {
    await shell.settled();
    return ok(shell.session().permissions.find(({ requestId }) => requestId === request.requestId));
  });
  return opened.ok ? opened.value?.diffs : undefined;
}

async function called(diffs: FileDiff[], status: ToolCallUpsert['status']): Promise<readonly FileDiff[] | undefined> {
  const base = { sessionId, turnId, itemId: `${turnId}:1:0`, sourceTimestamp: at, emittedAt: at };
  server.provider.upsert(sessionId, {
    ...base,
    type: 'tool_call',
    status,
    toolName: 'Edit',
    toolArguments: {},
    callId: 'c',
    diffs,
  });
  const item = await server.served.roster.with(sessionId, async ({ shell }) => {
    await shell.settled();
    return ok(shell.items.find(base.itemId));
  });
  return item.ok && item.value?.type === 'tool_call' ? item.value.diffs : undefined;
}

describe('PM-1: a request about a file', () => {
  it('shows what would really change in an existing file', async () => {
    const path = inFolder('a.txt');
    await writeFile(path, lines(520));
    const diffs = await asked([{ path, oldText: null, newText: lines(519) }]);
    expect(diffs).toEqual([
      {
        path,
        oldText: lines(520).slice(lines(516).length),
        newText: lines(519).slice(lines(516).length),
        oldStart: 517,
        newStart: 517,
      },
    ]);
  });

  it('shows no change when the file has that content already', async () => {
    const path = inFolder('a.txt');
    await writeFile(path, lines(5));
    expect(await asked([{ path, oldText: null, newText: lines(5) }])).toMatchObject([{ oldText: '', newText: '' }]);
  });

  it('shows a new file only when there is none', async () => {
    const path = inFolder('new.txt');
    expect(await asked([{ path, oldText: null, newText: 'x' }])).toMatchObject([{ oldText: null, oldStart: 1 }]);
  });

  it('never reads a file outside the project, and only says that it exists', async () => {
    const path = join(elsewhere, 'secret.txt');
    await writeFile(path, 'secret');
    await symlink(path, inFolder('link.txt'));
    const writes = [path, inFolder('link.txt')].map((each) => ({ path: each, oldText: null, newText: 'x' }));
    const diffs = await asked(writes);
    expect(diffs).toEqual(writes.map((write) => ({ ...write, overwrites: true })));
  });

  it('has the line numbers of an edit, even for a relative path', async () => {
    await writeFile(inFolder('a.txt'), lines(20));
    expect(await asked([{ path: 'a.txt', oldText: 'line 15', newText: 'x' }])).toMatchObject([{ oldStart: 12 }]);
  });
});

describe('the changes of a call', () => {
  it('keep their place once the file has changed, whatever is read later', async () => {
    const path = inFolder('a.txt');
    await writeFile(path, lines(20));
    const edit: FileDiff = { path, oldText: 'line 15\n', newText: '' };
    const before = await called([edit], 'update');
    expect(before).toMatchObject([{ oldStart: 12, newStart: 12 }]);
    await writeFile(path, lines(20).replace('line 15\n', ''));
    expect(await called([edit], 'complete')).toEqual(before);
  });

  it('are those of the request', async () => {
    const path = inFolder('a.txt');
    await writeFile(path, lines(20));
    const write: FileDiff = { path, oldText: null, newText: lines(19) };
    const shown = await asked([write]);
    await writeFile(path, lines(19));
    expect(await called([write], 'complete')).toEqual(shown);
  });

  it('stay as the agent sent them when the file doesn’t show their place', async () => {
    const path = inFolder('a.txt');
    await writeFile(path, lines(20));
    const edit: FileDiff = { path, oldText: 'gone', newText: 'x' };
    expect(await called([edit], 'complete')).toEqual([edit]);
  });
});
