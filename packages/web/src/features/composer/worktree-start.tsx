import type { ReactNode } from 'react';
import type { OutgoingMessage } from '../../state/sessions/outgoing-store.ts';
import { useWorktree, useWorktreeInTheMaking } from '../../state/worktrees/use-worktrees.ts';
import { useCell, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { SetupOutput } from '../../ui/worktrees/setup-output.tsx';
import { describeProgress } from '../../ui/worktrees/worktree-progress.ts';

/** The worktree that a session's first message waits for: its progress, the setup output, and what to do next. */
export function WorktreeStart({ message }: { readonly message: OutgoingMessage }): ReactNode {
  const { api, newSessions, outgoing } = useWorkbench();
  const session = useCell(newSessions).get(message.sessionId);
  const made = useWorktree(session?.place?.worktreeId);
  const making = useWorktreeInTheMaking(session?.place === undefined ? undefined : session.id);
  const worktree = made ?? making;
  if (session?.place === undefined) return null;
  const again = (): void => outgoing.sendAgain(message.clientMessageId);
  const startAnyway = async (worktreeId: string): Promise<void> => {
    const reply = await api.worktree.startAnyway(worktreeId);
    if (reply.ok && message.state === 'refused') again();
  };
  const named = message.failure?.code === 'PROJECT_NOT_TRUSTED' ? message.failure.details?.['files'] : undefined;
  const differing = Array.isArray(named) ? named.filter((file): file is string => typeof file === 'string') : [];
  const trust = (): void => {
    newSessions.place(session.id, { kind: 'worktree', ...session.place, trustConfiguration: true });
    again();
  };
  const canSkip = worktree?.setup !== undefined && (worktree.state === 'setup' || worktree.state === 'failed');
  return (
    <>
      {worktree?.progress !== undefined && <span className="muted">{describeProgress(worktree.progress)}</span>}
      {worktree !== undefined && canSkip && (
        <Button onClick={() => void startAnyway(worktree.worktreeId)}>Start anyway</Button>
      )}
      {differing.length > 0 && <Button onClick={trust}>Trust these settings</Button>}
      {message.state === 'refused' && made?.state === 'ready' && <Button onClick={again}>Try again</Button>}
      {worktree !== undefined && <SetupOutput worktree={worktree} />}
    </>
  );
}
