import { useState, type ReactNode } from 'react';
import type { MessageUpsert } from '@liminal/contracts';
import { hasWorktrees } from '../../state/sessions/start-form.ts';
import { useIsTurnRunning, useSession } from '../../state/sessions/use-session.ts';
import { useDirectoryFact, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { canResend, useResend } from './use-resend.ts';
import './message-actions.css';

/** The time of a message, and its actions. Visible on hover and focus; on touch after a tap on the row. */
export function MessageActions({ item }: { readonly item: MessageUpsert }): ReactNode {
  const { resend, reuse, isBusy } = useResend();
  const [isSent, setSent] = useState(false);
  const isOwn = item.origin === 'user';
  return (
    <div className="message-actions" role="group" aria-label={isOwn ? 'Your message' : 'Agent’s message'}>
      <time dateTime={item.sourceTimestamp} title={new Date(item.sourceTimestamp).toLocaleString()}>
        {new Date(item.sourceTimestamp).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
      </time>
      <CopyButton label="Copy message" text={() => item.content} />
      {isOwn && canResend(item) && (
        <>
          <IconButton label="Reuse message" onClick={() => void reuse(item)}>
            <Icon name="edit" />
          </IconButton>
          <IconButton
            label="Retry message"
            disabled={isSent || isBusy}
            onClick={async () => setSent(await resend(item))}
          >
            <Icon name="retry" />
          </IconButton>
        </>
      )}
      {isOwn && <TurnPoints item={item} />}
    </div>
  );
}

/** Continue from here: a fork that ends with this turn, or a rewind to before it. */
function TurnPoints({ item }: { readonly item: MessageUpsert }): ReactNode {
  const { store, projectId } = useSession();
  const { api, failures, panels, showWhenReady } = useWorkbench();
  const { sessionId } = store;
  const isRunning = useIsTurnRunning();
  const canFork = useDirectoryFact(({ providers, sessions }) => {
    const cliType = sessions.get(sessionId)?.cliType;
    return providers.find((each) => each.cliType === cliType)?.capabilities.forkAtTurn === true;
  });
  const canHaveWorktree = useDirectoryFact(({ projects }) =>
    projects.some((project) => project.projectId === projectId && hasWorktrees(project)),
  );
  const { turnId } = item;
  const why = canFork ? (isRunning ? ' (once the turn has ended)' : '') : " (this agent can't)";
  const fork = async (): Promise<void> => {
    const show = showWhenReady();
    const forked = await api.session.fork(sessionId, { turnId });
    if (forked.ok) show(forked.value.sessionId);
    else failures.report("Couldn't fork the session.", forked.failure);
  };
  const places = [
    { label: 'Fork in this folder', onChoose: () => void fork() },
    { label: 'Fork in a new worktree…', onChoose: () => panels.open({ name: 'fork', sessionId, turnId }) },
  ];
  return (
    <>
      {why !== '' || !canHaveWorktree ? (
        <IconButton label={`Fork after this turn${why}`} disabled={why !== ''} onClick={() => void fork()}>
          <Icon name="branch" />
        </IconButton>
      ) : (
        <MenuButton label="Fork after this turn" icon="branch" items={places} />
      )}
      <IconButton
        label={`Rewind to before this message${why}`}
        disabled={why !== ''}
        onClick={() =>
          panels.open({ name: 'rewind', sessionId, turnId, text: item.content, images: item.attachments?.length ?? 0 })
        }
      >
        <Icon name="rewind" />
      </IconButton>
    </>
  );
}
