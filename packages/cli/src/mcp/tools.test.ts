import type { Client } from '@liminal/client/connect';
import { expect, it } from 'vitest';
import { createTools } from './tools.ts';

it('CL-3: reads a session that the user ended or archived, but doesn’t list it', async () => {
  const ended = { sessionId: 'ended' };
  const client = {
    project: { list: async () => ({ ok: true, value: { projects: [{ projectId: 'p', dir: '/p' }] } }) },
    session: {
      list: async ({ scope }: { scope: string }) => ({ ok: true, value: { sessions: scope === 'all' ? [ended] : [] } }),
      history: async () => ({ ok: true, value: { entries: [] } }),
    },
  } as unknown as Client;
  const tools = createTools({ client, folders: ['/p'], processes: [], insideAgent: false });
  expect(await tools.list()).toEqual({ ok: true, value: { sessions: [] } });
  expect(await tools.read({ sessionId: 'ended' })).toEqual({ ok: true, value: { sessionId: 'ended', text: '' } });
  expect(await tools.read({ sessionId: 'other' })).toMatchObject({ ok: false });
});
