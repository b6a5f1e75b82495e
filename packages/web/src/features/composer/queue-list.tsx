import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import type { Image, QueuedMessage } from '@liminal/contracts';
import type { OutgoingMessage } from '../../state/sessions/outgoing-store.ts';
import { useQueue, useSession } from '../../state/sessions/use-session.ts';
import { useCell, useOutgoing, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { showControls } from '@liminal/domain/text/visible-text';
import { queueEditsOf } from './queue-edits.ts';
import { WorktreeStart } from './worktree-start.tsx';
import './queue-list.css';

const queueLabels: Record<NonNullable<QueuedMessage['state']>, string> = {
  waiting: '',
  held: 'Waiting. Sends with your next message.',
  unknown: 'May not have been delivered',
};

const outgoingLabels: Record<OutgoingMessage['state'], string> = {
  sending: 'Sending…',
  accepted: 'Sent',
  offline: 'Sends when reconnected',
  refused: 'Not sent',
};

const slowMs = 500;

type TakeBack = (text: string, images?: readonly Image[]) => void;

const withImages = (count: number): string => (count === 0 ? '' : plural(count, 'image'));

type QueueListProps = {
  readonly onTakeBack: TakeBack;
  /** A message went into the running turn. Missing if none can. */
  readonly onSteered: (() => void) | undefined;
  /** A message left the queue before its edited text was saved. */
  readonly onTooLate: (edited: string) => void;
};

/** Messages that aren't sent yet: queued ones, and those on their way to the server. */
export function QueueList({ onTakeBack, onSteered, onTooLate }: QueueListProps): ReactNode {
  const { store } = useSession();
  const { outgoing } = useWorkbench();
  const queue = useQueue();
  const edits = queueEditsOf(store);
  const edited = useCell(edits);
  const takeEdits = useEffectEvent(() => {
    for (const [turnId, { text, original, isSaving }] of edited) {
      if (isSaving || queue.some((message) => message.turnId === turnId)) continue;
      edits.end(turnId);
      if (text.trim() !== '' && text !== original) onTooLate(text);
    }
  });
  useEffect(() => takeEdits(), [queue, edited]);
  const known = new Set(queue.map((message) => message.turnId));
  const mine = useOutgoing().filter(
    (message) => message.sessionId === store.sessionId && !known.has(message.turnId ?? ''),
  );
  // Most messages arrive at once: showing them here briefly would only make the page jump.
  const isSlow = useHeldFor(mine.length > 0, slowMs);
  const onTheirWay = isSlow
    ? mine
    : mine.filter((message) => message.state === 'refused' || message.state === 'offline');
  if (queue.length + onTheirWay.length === 0) return null;
  return (
    <ul className="queue" aria-label="Queued messages">
      {queue.map((message, index) => (
        <QueuedLine
          key={message.turnId}
          message={message}
          isNext={index === 0}
          onTakeBack={onTakeBack}
          onSteered={onSteered}
        />
      ))}
      {onTheirWay.map((message) => (
        <li key={message.clientMessageId} className="queue-line">
          <span className="queue-text" dir="auto">
            {showControls(message.content)}
          </span>
          <span className={message.state === 'refused' ? 'field-error' : 'muted'}>
            {message.failure?.message ?? outgoingLabel(message)}
          </span>
          <WorktreeStart message={message} />
          {(message.state === 'refused' || message.state === 'offline') && (
            <IconButton
              label="Remove"
              onClick={() => {
                const taken = outgoing.takeBack(message.clientMessageId);
                if (taken !== null) onTakeBack(taken.content, taken.images);
              }}
            >
              <Icon name="close" />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Shows whether a message steers the running turn or waits behind it, even before it has arrived. */
function outgoingLabel(message: OutgoingMessage): string {
  const text = message.mode === 'steer' && message.state === 'sending' ? 'Steering…' : outgoingLabels[message.state];
  return [text, withImages(message.images?.length ?? 0)].filter((part) => part !== '').join(' · ');
}

type QueuedLineProps = Omit<QueueListProps, 'onTooLate'> & {
  readonly message: QueuedMessage;
  readonly isNext: boolean;
};

function QueuedLine({ message, isNext, onTakeBack, onSteered }: QueuedLineProps): ReactNode {
  const { store } = useSession();
  const { api } = useWorkbench();
  const edits = queueEditsOf(store);
  const edit = useCell(edits).get(message.turnId);
  const [failure, setFailure] = useState('');
  const { turnId, content, state = 'waiting' } = message;

  const discard = async (): Promise<boolean> => {
    const reply = await api.session.withdraw(store.sessionId, turnId);
    setFailure(reply.ok ? '' : reply.failure.message);
    return reply.ok;
  };
  /** Fetches its images first: the server deletes them with the message. */
  const withdraw = async (): Promise<void> => {
    const hasImages = (message.attachments?.length ?? 0) > 0;
    const reply = hasImages ? await api.session.queuedImages(store.sessionId, turnId) : null;
    if (reply?.ok === false) return setFailure(reply.failure.message);
    if (await discard()) onTakeBack(content, reply?.value.images);
  };
  const sendAgain = async (): Promise<void> => {
    const reply = await api.session.resend(store.sessionId, turnId);
    setFailure(reply.ok ? '' : reply.failure.message);
  };
  const steer = async (): Promise<void> => {
    const reply = await api.session.steerQueued(store.sessionId, turnId);
    setFailure(reply.ok ? '' : reply.failure.message);
    // The button disappears with its line.
    if (reply.ok) onSteered?.();
  };
  const save = async (): Promise<void> => {
    const text = edit?.text.trim() ?? '';
    if (text === '' || edit?.isSaving === true) return;
    edits.change(turnId, { isSaving: true });
    const reply = await api.session.editQueued(store.sessionId, turnId, { content: text });
    setFailure(reply.ok ? '' : reply.failure.message);
    if (reply.ok) edits.end(turnId);
    else edits.change(turnId, { isSaving: false });
  };

  if (edit !== undefined) {
    return (
      <li className="queue-line queue-line-edited">
        <textarea
          className="input"
          aria-label="Queued message"
          rows={3}
          autoFocus
          value={edit.text}
          readOnly={edit.isSaving}
          onChange={(event) => edits.change(turnId, { text: event.target.value })}
          onKeyDown={(event) => {
            // While an input method is composing, the keys belong to it.
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault();
              void save();
            }
            if (event.key === 'Escape') {
              event.stopPropagation();
              edits.end(turnId);
            }
          }}
        />
        {failure !== '' && <span className="field-error">{failure}</span>}
        <Button onClick={() => void save()}>Save</Button>
        <Button look="quiet" onClick={() => edits.end(turnId)}>
          Cancel
        </Button>
      </li>
    );
  }
  const notes = [queueLabels[state], withImages(message.attachments?.length ?? 0)].filter((note) => note !== '');
  return (
    <li className="queue-line">
      {state === 'waiting' && (
        <span className="queue-next">
          <Icon name="clock" size={14} />
          <span className="queue-order">{isNext ? 'Next' : 'Then'}</span>
        </span>
      )}
      <span className="queue-text" dir="auto">
        {showControls(content)}
      </span>
      {failure !== '' && <span className="field-error">{failure}</span>}
      {failure === '' && notes.length > 0 && <span className="muted">{notes.join(' · ')}</span>}
      {state === 'unknown' ? (
        <>
          <Button onClick={() => void sendAgain()}>Retry</Button>
          <Button look="quiet" onClick={() => void discard()}>
            Discard
          </Button>
        </>
      ) : (
        <>
          {onSteered !== undefined && (
            <IconButton label="Steer now" onClick={() => void steer()}>
              <Icon name="steer" size={14} />
            </IconButton>
          )}
          <IconButton label="Edit" onClick={() => edits.begin(turnId, content)}>
            <Icon name="edit" size={14} />
          </IconButton>
          <IconButton label="Remove" onClick={() => void withdraw()}>
            <Icon name="close" />
          </IconButton>
        </>
      )}
    </li>
  );
}

/** Whether something has been true for a while without interruption. */
function useHeldFor(isTrue: boolean, milliseconds: number): boolean {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (!isTrue) return undefined;
    const timer = setTimeout(() => setHeld(true), milliseconds);
    return () => {
      clearTimeout(timer);
      setHeld(false);
    };
  }, [isTrue, milliseconds]);
  return held && isTrue;
}
