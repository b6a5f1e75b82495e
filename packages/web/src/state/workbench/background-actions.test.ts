import { describe, expect, it, vi } from 'vitest';
import type { Project } from '@liminal/contracts';
import { createDirectoryStore } from './directory-store.ts';
import { createFailureStore, backgroundActions } from './background-actions.ts';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { createTabsStore } from '../layout/tabs-store.ts';

// Only success or failure matters here, not the content of a reply.
const done = { ok: true as const, value: {} as never };
const refused = { ok: false as const, failure: { code: 'UNREACHABLE', message: "Can't reach the server." } };
const project: Project = { projectId: 'p', name: 'shop', dir: '/shop', trusted: true };

async function setup(reply: typeof done | typeof refused) {
  const answer = vi.fn(async () => reply);
  const directory = createDirectoryStore({
    project: {
      list: async () => ({ ok: true, value: { projects: [project] } }),
      trust: answer,
      add: async () => refused,
      remove: async () => refused,
    },
    workbench: { providers: async () => ({ ok: true, value: { providers: [] } }) },
  });
  await directory.refresh();
  const tabs = createTabsStore(memoryStorage());
  tabs.show('s');
  const failures = createFailureStore();
  const actions = backgroundActions({
    api: { cancel: answer, export: answer, patch: answer, send: answer, sentMessage: answer },
    newId: () => 'new',
    importInto: answer,
    directory,
    failures,
    tabs,
    showWhenReady: () => tabs.show,
  });
  return { actions, answer, directory, failures, tabs };
}

describe('background actions', () => {
  it.each([
    ['rename', "Couldn't rename “New session”."],
    ['archive', "Couldn't archive “New session”."],
    ['stop', "Couldn't stop “New session”."],
    ['retry', "Couldn't retry “New session”."],
    ['distrust', "Couldn't stop trusting shop."],
  ] as const)('%s that fails is reported, and nothing has changed', async (name, what) => {
    const { actions, directory, failures, tabs } = await setup(refused);
    if (name === 'archive') await actions.archive('s', true);
    else if (name === 'rename') await actions.rename('s', 'Other');
    else if (name === 'stop') await actions.stop('s');
    else if (name === 'retry') await actions.retryTurn('s', 't');
    else await actions.distrust('p');
    expect(failures.get()).toEqual({ what, why: "Can't reach the server." });
    expect(tabs.get().open).toEqual(['s']);
    expect(directory.get().projects).toEqual([project]);
  });

  it('retries a turn once, and again only if that failed', async () => {
    const { actions, answer, failures } = await setup(done);
    await Promise.all([actions.retryTurn('s', 't'), actions.retryTurn('s', 't')]);
    await actions.retryTurn('s', 't');
    // One reads the message, one sends it.
    expect(answer).toHaveBeenCalledTimes(2);
    answer.mockResolvedValueOnce(refused as never);
    await actions.retryTurn('s', 'other');
    expect(failures.get()).toMatchObject({ why: refused.failure.message });
    await actions.retryTurn('s', 'other');
    expect([answer.mock.calls.length, failures.get()]).toEqual([5, null]);
  });

  it('closes the tab of an archived session, and clears the last failure', async () => {
    const { actions, failures, tabs } = await setup(done);
    failures.report('Something else.', refused.failure);
    await actions.archive('s', true);
    expect(tabs.get().open).toEqual([]);
    expect(failures.get()).toBeNull();
  });

  it('leaves restored sessions open', async () => {
    const { actions, tabs } = await setup(done);
    await actions.archive('s', false);
    expect(tabs.get().open).toEqual(['s']);
  });

  it('imports a session from a file, and reports why a file isn’t one', async () => {
    const { actions, answer, failures } = await setup(refused);
    await actions.importSession('p', async () => null);
    expect(failures.get()).toBeNull();
    for (const text of ['{', '{"schema":"other"}']) {
      await actions.importSession('p', async () => text);
      expect(failures.get()).toMatchObject({ what: "Couldn't import the session." });
      expect(answer).not.toHaveBeenCalled();
    }
    const session = { sessionId: 's', cliType: 'demo', title: 'Old' };
    const exportedAt = '2026-01-01T00:00:00.000Z';
    const exported = { schema: 'liminal-session', version: 1, exportedAt, session, turns: [] };
    await actions.importSession('p', async () => JSON.stringify(exported));
    expect(answer).toHaveBeenCalledWith('p', exported);
    expect(failures.get()).toMatchObject({ why: refused.failure.message });
  });
});
