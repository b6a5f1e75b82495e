import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionHistory } from '@liminal/contracts';
import { expect, it } from 'vitest';
import { realAgents, say, startInRepository } from '../../testing/real-agent.ts';

const patience = { timeout: 60_000, interval: 20 };

type Forked = { readonly sessionId: string; readonly place: unknown };

it.each(realAgents)(
  'CP-2 CP-9: %s gets exactly the kept turns in a fork, even in a fork of a fork, and the original continues',
  async (_, start) => {
    const { repository, server, sessionId, lastAsked, close } = await startInRepository(start);
    const fork = (sessionId: string, turnId?: string) =>
      server.call<Forked>('POST', `/api/session/${sessionId}/fork`, turnId === undefined ? {} : { turnId });
    try {
      await say(server, sessionId, '@text answer-apple');
      // A failed turn is an ordinary fork point, too.
      const failed = await say(server, sessionId, '@error 400 broken-pear');
      // So is one cancelled before the first word.
      const cancelled = await server.call<{ turnId: string }>('POST', `/api/session/${sessionId}/send`, {
        content: '@hang silent-quince',
      });
      await expect.poll(() => server.store.turn(sessionId, cancelled.body.turnId)?.state, patience).toBe('running');
      await server.call('POST', `/api/session/${sessionId}/cancel`);
      await expect.poll(() => server.store.turn(sessionId, cancelled.body.turnId)?.ended, patience).toBeTruthy();
      const plum = await say(server, sessionId, '@text answer-plum');
      await say(server, sessionId, '@text answer-cherry');

      const copy = await fork(sessionId, plum);
      expect(copy).toMatchObject({ status: 201, body: { place: { kind: 'folder', folder: repository.dir } } });
      await say(server, copy.body.sessionId, '@text answer-in-copy');
      expect(lastAsked()).toMatch(/answer-apple[^]*answer-plum[^]*answer-in-copy/);
      expect(lastAsked()).not.toContain('cherry');

      const atFailed = await fork(copy.body.sessionId, failed);
      expect(atFailed.status).toBe(201);
      await say(server, atFailed.body.sessionId, '@text answer-deep');
      expect(lastAsked()).toMatch(/answer-apple[^]*answer-deep/);
      expect(lastAsked()).not.toMatch(/plum|in-copy|cherry/);

      const atCancelled = await fork(sessionId, cancelled.body.turnId);
      expect(atCancelled).toMatchObject({ status: 201 });
      await say(server, atCancelled.body.sessionId, '@text answer-after-quince');
      expect(lastAsked()).toMatch(/answer-apple[^]*answer-after-quince/);
      expect(lastAsked()).not.toMatch(/plum|in-copy|cherry/);

      await say(server, sessionId, '@text answer-first-goes-on');
      expect(lastAsked()).toMatch(/answer-plum[^]*answer-cherry[^]*answer-first-goes-on/);
      expect(lastAsked()).not.toContain('in-copy');

      const history = (id: string) => server.call<SessionHistory>('GET', `/api/session/${id}/history`);
      const turns = async (id: string) => (await history(id)).body.turns.length;
      expect([await turns(copy.body.sessionId), await turns(atFailed.body.sessionId)]).toEqual([5, 3]);
      // Opening it again adds nothing twice.
      await server.call('POST', `/api/session/${copy.body.sessionId}/kill`);
      await server.call('POST', `/api/session/${copy.body.sessionId}/load`, {});
      expect(await turns(copy.body.sessionId)).toBe(5);
      expect((await fork(sessionId, 'nobody')).body).toMatchObject({ error: { code: 'TURN_NOT_FOUND' } });
      expect(existsSync(join(repository.dir, 'a.txt'))).toBe(true);
    } finally {
      await close();
    }
  },
  240_000,
);
