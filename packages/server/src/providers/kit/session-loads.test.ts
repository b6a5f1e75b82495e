import type { ProviderSession } from '@liminal/contracts';
import { expect, it, vi } from 'vitest';
import { silentLog } from '../../processes/testing/silent-log.ts';
import { createSessionHub } from './session-hub.ts';
import { createSessionLoads } from './session-loads.ts';

type Entry = Parameters<NonNullable<Parameters<typeof createSessionLoads>[0]['onKill']>>[0];

const opened: ProviderSession = { sessionId: 's1', cliType: 'agent' };

function setup({ entry = {}, isKnown = true }: { entry?: Partial<Entry>; isKnown?: boolean } = {}) {
  const held: Entry = { hub: createSessionHub(silentLog), isKilled: false, projectDir: '/work/app', ...entry };
  const opening = Promise.withResolvers<ProviderSession>();
  const open = vi.fn<(...args: [string, unknown, unknown, AbortSignal]) => Promise<ProviderSession>>(
    () => opening.promise,
  );
  const onKill = vi.fn<(entry: Entry) => void>();
  const table = new Map<string, Entry>(isKnown ? [['s1', held]] : []);
  const find = (sessionId: string): Entry | undefined => table.get(sessionId);
  const remove = (sessionId: string): void => void table.delete(sessionId);
  const loads = createSessionLoads({ cliType: 'agent', find, remove, open, onKill });
  return { loads, held, table, opening, open, onKill };
}

it('opens a session once for all simultaneous callers', async () => {
  const { loads, opening, open } = setup();
  const both = [loads.load('s1', {}), loads.load('s1', { unused: true })];
  opening.resolve(opened);
  expect(await Promise.all(both)).toEqual([opened, opened]);
  expect(open).toHaveBeenCalledTimes(1);
  expect(open.mock.calls[0]?.slice(0, 2)).toEqual(['/work/app', { kind: 'load', sessionId: 's1', unused: false }]);
});

it('starts nothing for a live session', async () => {
  const { loads, open } = setup({ entry: { session: { isAlive: true, kill: async () => {} } } });
  expect(await loads.load('s1', {})).toEqual(opened);
  expect(open).not.toHaveBeenCalled();
});

it('requires a folder for an unknown session', async () => {
  const { loads, open } = setup({ isKnown: false });
  await expect(loads.load('s1', {})).rejects.toMatchObject({ code: 'PROJECT_DIR_INVALID' });
  expect(open).not.toHaveBeenCalled();
});

it('stops an opening that is killed, reports it, and opens again afterwards', async () => {
  const { loads, held, opening, open, onKill } = setup();
  const load = loads.load('s1', {});
  const kill = loads.kill('s1');
  expect(open.mock.calls[0]?.[3].aborted).toBe(true);
  opening.reject(new Error('aborted'));
  await expect(load).rejects.toMatchObject({ code: 'SESSION_DEAD' });
  await kill;
  expect(held.isKilled).toBe(true);
  expect(onKill).toHaveBeenCalledWith(held);
  await loads.load('s1', {}).catch(() => {});
  expect(open).toHaveBeenCalledTimes(2);
});

it('keeps the error of an opening that failed by itself', async () => {
  const { loads, opening } = setup();
  const load = loads.load('s1', {});
  opening.reject(new Error('no such record'));
  await expect(load).rejects.toThrow('no such record');
});

it('kills an open session after it is marked as killed', async () => {
  let wasKilled: boolean | undefined;
  const { loads, held } = setup({
    entry: { session: { isAlive: true, kill: async () => void (wasKilled = held.isKilled) } },
  });
  await loads.kill('s1');
  expect(wasKilled).toBe(true);
  expect(held.session).toBeUndefined();
});

it('forgets a session at once and ends its process, but nothing of one opened again meanwhile', async () => {
  const killed = Promise.withResolvers<void>();
  const { loads, held, table } = setup({ entry: { session: { isAlive: true, kill: () => killed.promise } } });
  const forgotten = loads.forget('s1');
  expect(table.size).toBe(0);
  const again: Entry = { ...held, hub: createSessionHub(silentLog) };
  table.set('s1', again);
  killed.resolve();
  await forgotten;
  expect(table.get('s1')).toBe(again);
  expect(again.isKilled).toBe(false);
});
