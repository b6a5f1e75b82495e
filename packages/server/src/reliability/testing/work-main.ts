import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RewindPlanReply, Worktree } from '@liminal/contracts';
import { listAside } from '../../git/worktrees/set-aside.ts';
import type { TestServer } from '../../testing/test-server.ts';
import { killAtStep } from './kill-at-step.ts';
import { startWorkWorld } from './work-world.ts';

/** Operations on all of a user's work. Each runs in its own process, which is killed at one of its steps. */
export const acts = ['rewind', 'undo', 'park', 'restore', 'merge', 'keep', 'undo-keep'] as const;
export type Act = (typeof acts)[number];

/** What each operation works on. */
export type WorkIds = {
  readonly rewound: { readonly sessionId: string; readonly turnId: string };
  readonly undone: { readonly sessionId: string; readonly rewindId: string };
  readonly park: string;
  readonly restore: string;
  readonly merge: string;
  readonly keep: { readonly compareId: string; readonly candidateId: string };
  readonly undoKeep: string;
};

export async function perform(
  { call }: TestServer,
  act: Act,
  ids: WorkIds,
): Promise<{ status: number; body: unknown }> {
  switch (act) {
    case 'rewind': {
      const { sessionId, turnId } = ids.rewound;
      const planned = await call<RewindPlanReply>('POST', `/api/session/${sessionId}/rewind/plan`, { turnId });
      return call('POST', `/api/session/${sessionId}/rewind`, { turnId, planId: planned.body.planId });
    }
    case 'undo': {
      const { sessionId, rewindId } = ids.undone;
      return call('POST', `/api/session/${sessionId}/rewind/undo`, { rewindId });
    }
    case 'park':
      return call('POST', `/api/worktrees/${ids.park}/park`, {});
    case 'restore':
      return call('POST', `/api/worktrees/${ids.restore}/restore`, {});
    case 'merge':
      return call('POST', `/api/worktrees/${ids.merge}/merge`, { how: 'merge' });
    case 'keep': {
      const { compareId, candidateId } = ids.keep;
      return call('POST', `/api/compare/${compareId}/keep`, { candidateId, merge: 'merge' });
    }
    case 'undo-keep':
      return call('POST', `/api/compare/${ids.undoKeep}/keep/undo`);
  }
}

/** The folder of a parked worktree is deleted after the answer. Those steps count too. */
async function untilDeleted({ call }: TestServer, worktreeId: string): Promise<void> {
  const { folder } = (await call<Worktree>('GET', `/api/worktrees/${worktreeId}`)).body;
  while ((await listAside(dirname(folder))).length > 0) await wait(5);
}

const isAct = (name: string): name is Act => acts.some((act) => act === name);

if (import.meta.main) {
  const [folder = '', act = '', ids = '', step = ''] = process.argv.slice(2);
  let pass = (): void => {};
  const server = await startWorkWorld(folder, () => pass());
  if (!isAct(act)) throw new Error(`Unknown operation ${act}.`);
  const steps = killAtStep(Number(step), null);
  ({ pass } = steps);
  const about = JSON.parse(ids) as WorkIds;
  const { status, body } = await perform(server, act, about);
  if (act === 'park') await untilDeleted(server, about.park);
  process.stdout.write(status < 300 ? `steps ${steps.count()}\n` : `failed ${JSON.stringify(body)}\n`);
  process.exit();
}
