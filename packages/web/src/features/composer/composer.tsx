import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { usePermissions, useRunningTurn, useSession, useStatus } from '../../state/use-session.ts';
import { useWorkbench } from '../../state/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { ActivityLine } from './activity-line.tsx';
import { Pickers } from './pickers.tsx';
import { QueueList } from './queue-list.tsx';
import './composer.css';

type ComposerProps = {
  readonly agentName: string;
  /** The agent takes words while it works. */
  readonly canSteer: boolean;
};

/** Where a person writes: send, queue, steer and stop in one place. The draft is kept per session. */
export function Composer({ agentName, canSteer }: ComposerProps): ReactNode {
  const { store } = useSession();
  const { api, drafts, outgoing } = useWorkbench();
  const { sessionId } = store;
  const [text, setText] = useState(() => drafts.read(sessionId));
  const [failure, setFailure] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  const status = useStatus();
  const isAsked = usePermissions().length > 0;
  const isBusy = useRunningTurn() !== null || status?.activity === 'working' || status?.activity === 'waiting';

  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);

  const write = (next: string): void => {
    setText(next);
    drafts.write(sessionId, next);
  };
  const takeUp = (words: string): void => {
    write(text.trim() === '' ? words : `${words}\n\n${text}`);
    area.current?.focus();
  };
  const send = (mode?: 'steer'): void => {
    if (text.trim() === '') return;
    setFailure('');
    outgoing.send(sessionId, text.trim(), mode);
    write('');
    store.goToEnd();
    area.current?.focus();
  };
  const stop = async (): Promise<void> => {
    const reply = await api.cancel(sessionId);
    setFailure(reply.ok ? '' : reply.failure.message);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes a word, Enter belongs to it.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send(canSteer && isBusy && (event.ctrlKey || event.metaKey) ? 'steer' : undefined);
    }
  };

  if (status?.state === 'dead') return <Ended />;
  return (
    <div className="composer-stack">
      <QueueList onTakeBack={takeUp} />
      <form
        className="composer"
        aria-label="Message"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          ref={area}
          id="composer-input"
          className="composer-input"
          rows={1}
          dir="auto"
          aria-label={`Message to ${agentName}`}
          placeholder={isBusy ? 'Write the next message; it waits its turn' : `Message ${agentName}`}
          value={text}
          autoFocus
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="composer-bar">
          <Pickers onFailure={setFailure} />
          <ActivityLine />
          <span className="composer-actions">
            {isBusy && (
              <Button onClick={() => void stop()}>Stop {!isAsked && <kbd className="key-hint">Esc</kbd>}</Button>
            )}
            {isBusy && canSteer && (
              <Button disabled={text.trim() === ''} title="Ctrl+Enter" onClick={() => send('steer')}>
                Send into this turn
              </Button>
            )}
            <Button look="primary" type="submit" disabled={text.trim() === ''} title="Enter">
              {isBusy ? 'Queue' : 'Send'}
            </Button>
          </span>
        </div>
      </form>
      {failure !== '' && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}

/** A session that was ended takes no message until it is opened again. */
function Ended(): ReactNode {
  const { store } = useSession();
  const { api } = useWorkbench();
  const [failure, setFailure] = useState('');
  const reopen = async (): Promise<void> => {
    const reply = await api.load(store.sessionId);
    setFailure(reply.ok ? '' : reply.failure.message);
  };
  return (
    <div className="composer-ended">
      <p>This session has ended. Everything said in it is kept.</p>
      <Button look="primary" onClick={() => void reopen()}>
        Open it again
      </Button>
      {failure !== '' && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}
