import type { Project, SessionSummary } from '@liminal/contracts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Api, Reply } from './testing/api.ts';
import { printFigures } from './testing/figures.ts';
import { connectReader } from './testing/folding-reader.ts';
import { createRandom, type Random } from './testing/random.ts';
import { createRecordedProgram, type RecordedProgram } from './testing/recorded-program.ts';
import { patience, scaled, seed, testTimeout } from './testing/torture.ts';

let recorded: RecordedProgram;
afterEach(() => recorded.cleanup());

const must = async <Body>(reply: Promise<Reply<Body>>, expected = 200): Promise<Body> => {
  const { status, body } = await reply;
  expect(status, JSON.stringify(body)).toBe(expected);
  return body;
};

type Wanted = {
  readonly sessionId: string;
  title: string;
  archived: boolean;
  readonly queue: Map<string, string>;
  readonly withdrawn: string[];
  tabs: string[];
  trusted: boolean;
};

/** A dozen user actions on a session whose agent streams all the time, so both write the same rows. */
async function actAtRandom(api: Api, projectId: string, random: Random): Promise<Wanted> {
  const sessionId = await api.newSession('recording', recorded.folder);
  const path = `/api/session/${sessionId}`;
  await api.send(sessionId, 'say 100000');
  await vi.waitFor(async () => expect((await api.history(sessionId)).entries).toHaveLength(2), patience);
  const wanted: Wanted = {
    sessionId,
    title: 'first',
    archived: false,
    queue: new Map(),
    withdrawn: [],
    tabs: [],
    trusted: false,
  };
  const number = () => random.below(1_000_000);
  const waiting = () => random.pick([...wanted.queue.keys()]);
  const enqueue = async () => {
    const content = `waiting ${number()}`;
    const { turnId } = await must(api.send(sessionId, content), 202);
    wanted.queue.set(turnId, content);
  };
  const rename = async () => {
    wanted.title = `Title ${number()}`;
    await must(api.call('PATCH', path, { title: wanted.title }));
  };
  const openTabs = async () => {
    wanted.tabs = [sessionId, `tab ${number()}`];
    await must(api.call('PUT', '/api/workspace', { tabs: wanted.tabs }));
  };
  const trust = async () => {
    wanted.trusted = !wanted.trusted;
    await must(api.call('POST', `/api/projects/${projectId}/trust`, { trusted: wanted.trusted }));
  };
  const actions = [
    enqueue,
    rename,
    openTabs,
    trust,
    async () => {
      wanted.archived = !wanted.archived;
      await must(api.call('PATCH', path, { archived: wanted.archived }));
    },
    async () => {
      const turnId = waiting();
      wanted.queue.set(turnId, `edited ${number()}`);
      await must(api.call('PATCH', `${path}/queue/${turnId}`, { content: wanted.queue.get(turnId) }));
    },
    async () => {
      if (wanted.queue.size < 2) return;
      const turnId = waiting();
      wanted.queue.delete(turnId);
      wanted.withdrawn.push(turnId);
      await must(api.call('DELETE', `${path}/queue/${turnId}`), 204);
    },
  ];
  for (const action of [rename, openTabs, trust, trust, enqueue]) await action();
  for (let step = 0; step < 12; step += 1) await random.pick(actions)();
  return wanted;
}

describe(`user actions (seed ${seed})`, () => {
  it(
    'survive kill -9 right after the response: titles, flags, queue edits, withdrawals, answers, trust, open tabs',
    async () => {
      const random = createRandom(seed);
      recorded = createRecordedProgram();
      let running = await recorded.start();
      const { projectId } = await must(
        running.api.call<Project>('POST', '/api/projects', { dir: recorded.folder }),
        201,
      );
      const rounds = scaled(2, 40);
      for (let round = 0; round < rounds; round += 1) {
        const wanted = await actAtRandom(running.api, projectId, random);
        await running.kill();
        running = await recorded.start();
        const { api } = running;
        const path = `/api/session/${wanted.sessionId}`;
        const { sessions } = await must(
          api.call<{ sessions: SessionSummary[] }>('GET', `/api/session/list?projectId=${projectId}`),
        );
        const listed = sessions.find((session) => session.sessionId === wanted.sessionId);
        expect(listed).toMatchObject({ title: wanted.title, archived: wanted.archived });
        const queue = await api.queue(wanted.sessionId);
        expect(queue.map(({ turnId, content }) => [turnId, content])).toEqual([...wanted.queue]);
        expect((await must(api.call('GET', '/api/workspace'))).tabs).toEqual(wanted.tabs);
        expect((await must(api.call('GET', '/api/projects'))).projects).toMatchObject([
          { projectId, trusted: wanted.trusted },
        ]);
        for (const turnId of wanted.withdrawn)
          expect((await api.call('DELETE', `${path}/queue/${turnId}`)).status).toBe(409);
      }
      printFigures('user actions and kill -9', { kills: rounds, actions: 17 * rounds, lost: 0 });
    },
    testTimeout,
  );

  it(
    'survive kill -9: the answer to a permission request, and a killed session stays ended',
    async () => {
      recorded = createRecordedProgram();
      const first = await recorded.start();
      const [asks, ends] = [
        await first.api.newSession('recording', recorded.folder),
        await first.api.newSession('recording', recorded.folder),
      ];
      await first.api.send(asks, 'ask then hang');
      await vi.waitFor(
        async () => expect(await first.api.status(asks)).toMatchObject({ activity: 'waiting' }),
        patience,
      );
      const reader = await connectReader(first.ready);
      reader.subscribe(asks, 'full');
      await reader.until(asks, (timeline) => timeline.permissions.length === 1);
      const { requestId } = reader.timeline(asks).permissions[0]!;
      await reader.close();
      await must(first.api.call('POST', `/api/session/${ends}/kill`));
      await must(first.api.call('POST', `/api/session/${asks}/permission`, { requestId, optionId: 'yes' }));
      await first.kill();

      const { api } = await recorded.start();
      const { decisions } = await must(api.call('GET', `/api/session/${asks}/audit`));
      expect(decisions).toMatchObject([{ requestId, optionId: 'yes', outcome: 'answered', by: 'person' }]);
      expect(await api.status(asks)).toMatchObject({ state: 'open', activity: 'asleep' });
      expect(await api.status(ends)).toMatchObject({ state: 'dead' });
      expect((await api.send(ends, 'hello?')).body.error.code).toBe('SESSION_DEAD');
    },
    testTimeout,
  );
});
