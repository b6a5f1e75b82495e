import { useEffect, useState } from 'react';
import type { MergePlan, MergeWorktreeBody } from '@liminal/contracts';
import type { ApiFailure } from '@liminal/client/call-routes';
import { useWorkbench } from '../../../state/workbench/use-workbench.ts';

export type MergeChoice = Pick<MergeWorktreeBody, 'how' | 'into'>;

type Answer = {
  readonly key: string;
  readonly plan: MergePlan | null;
  readonly failure: ApiFailure | null;
  readonly isDirty: boolean;
};

export type PlannedMerge = Omit<Answer, 'key'> & { readonly readAgain: () => void };

/** What a merge would do. Changes nothing; computed again for every choice. */
export function useMergePlan(worktreeId: string, choice: MergeChoice): PlannedMerge {
  const { api } = useWorkbench();
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [reading, setReading] = useState(0);
  const { how, into } = choice;
  const key = JSON.stringify([worktreeId, how, into, reading]);
  useEffect(() => {
    let isWanted = true;
    void api.worktree.merge(worktreeId, { how, ...(into !== undefined && { into }), dryRun: true }).then((reply) => {
      if (!isWanted) return;
      const plan = reply.ok && 'files' in reply.value ? reply.value : null;
      const dirty = plan === null ? (reply.ok ? false : reply.failure.details?.['dirty'] === true) : plan.dirty;
      setAnswer({ key, plan, failure: reply.ok ? null : reply.failure, isDirty: dirty });
    });
    return () => {
      isWanted = false;
    };
  }, [api, worktreeId, how, into, key]);
  const current = answer?.key === key ? answer : null;
  return {
    plan: current?.plan ?? null,
    failure: current?.failure ?? null,
    // Known for any choice, so it stays visible until the next answer arrives.
    isDirty: answer?.isDirty ?? false,
    readAgain: () => setReading((count) => count + 1),
  };
}
