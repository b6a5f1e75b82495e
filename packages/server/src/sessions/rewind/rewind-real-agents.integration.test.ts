import type { DiscoveredSession, Project, RewindPlanReply, RewindReply } from '@liminal/contracts';
import { expect, it } from 'vitest';
import { realAgents, say, startInRepository } from '../../testing/real-agent.ts';

it.each(realAgents)(
  'CP-4 CP-9: %s forgets exactly the rewound turns, even from the first turn on, and undo restores them',
  async (_, start) => {
    const { agent, repository, server, sessionId, lastAsked, close } = await startInRepository(start);
    try {
      const url = `/api/session/${sessionId}`;
      const call = <Body>(path: string, body: object) => server.call<Body>('POST', `${url}/${path}`, body);
      const rewind = async (turnId: string) => {
        const plan = await call<RewindPlanReply>('rewind/plan', { turnId });
        return call<RewindReply>('rewind', { turnId, planId: plan.body.planId });
      };
      await say(server, sessionId, '@text answer-apple');
      const pear = await say(server, sessionId, '@text answer-pear');
      await say(server, sessionId, '@text answer-plum');
      const done = await rewind(pear);
      expect(done).toMatchObject({ status: 200 });
      const undone = await call<RewindReply>('rewind/undo', { rewindId: done.body.rewindId });
      expect(undone).toMatchObject({ status: 200 });
      await say(server, sessionId, '@text answer-after-undo');
      expect(lastAsked()).toMatch(/answer-apple[^]*answer-pear[^]*answer-plum[^]*answer-after-undo/);
      expect(await rewind(pear)).toMatchObject({ status: 200 });
      await say(server, sessionId, '@text answer-instead');
      expect(lastAsked()).toMatch(/answer-apple[^]*answer-instead/);
      expect(lastAsked()).not.toMatch(/answer-(pear|plum|after-undo)/);
      // From the very start: the agent gets a new session, under the same id here.
      const first = server.store.turnsBefore(sessionId, null, 10).at(-1)?.turnId ?? '';
      expect(await rewind(first)).toMatchObject({ status: 200 });
      await say(server, sessionId, '@text answer-anew');
      expect(lastAsked()).toContain('answer-anew');
      expect(lastAsked()).not.toMatch(/answer-(apple|instead)/);
      const { body } = await server.call<Project>('POST', '/api/projects', { dir: repository.dir });
      const found = await server.call<{ sessions: DiscoveredSession[] }>(
        'GET',
        `/api/session/discover?projectId=${body.projectId}`,
      );
      expect(found.body.sessions.filter(({ cliType }) => cliType === agent.provider.cliType)).toEqual([]);
    } finally {
      await close();
    }
  },
  240_000,
);
