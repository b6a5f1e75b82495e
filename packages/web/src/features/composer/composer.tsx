import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Image, NodeMark } from '@liminal/contracts';
import { machineTrouble } from '../../state/workbench/describe-machine.ts';
import { useDraft } from '../../state/sessions/use-draft.ts';
import { useRunningTurn, useSession, useStatus } from '../../state/sessions/use-session.ts';
import { useCell, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { KeyPair } from '../../ui/key-pair.tsx';
import { keysText } from '../../ui/keys.ts';
import { ActivityLine } from './activity-line.tsx';
import { AttachButton, AttachmentList } from './attachments.tsx';
import { ComposerInput } from './composer-input.tsx';
import { ContextMeter } from './context-meter.tsx';
import { Ended } from './ended.tsx';
import { mentionOf } from './find-trigger.ts';
import { Pickers } from './pickers.tsx';
import { PlaceLine } from './place-line.tsx';
import { QueueList } from './queue-list.tsx';
import { SendButtons } from './send-buttons.tsx';
import { useAttachments } from './use-attachments.ts';
import './composer.css';

type ComposerProps = {
  /** The agent accepts messages during a turn. */
  readonly canSteer: boolean;
  readonly takesImages: boolean;
  /** The machine the agent runs on, if there are several. */
  readonly machine: NodeMark | undefined;
};

const steerKeys = { code: 'Enter', label: 'Enter', mod: true } as const;

/** The composer: send, queue, steer and stop. Each session keeps its own draft. */
export function Composer({ canSteer, takesImages, machine }: ComposerProps): ReactNode {
  const { store, agentName } = useSession();
  const { drafts, newSessions, outgoing, panels } = useWorkbench();
  const { sessionId } = store;
  const text = useDraft(sessionId);
  const [failure, setFailure] = useState('');
  const [isOver, setIsOver] = useState(false);
  const mentions = drafts.mentions(sessionId);
  const area = useRef<HTMLTextAreaElement>(null);
  const status = useStatus();
  // A request from a background subagent doesn't block sending.
  const isWorking = useRunningTurn() !== null || status?.activity === 'working';
  // The agent of an unreachable machine has an unknown state and can't be stopped.
  const isInReach = machineTrouble(machine) === '';
  const isBusy = isWorking && isInReach;

  useEffect(() => newSessions.keepPrepared(sessionId), [newSessions, sessionId]);
  // A closing dialog restores the previous focus, so this has to run after it.
  const isFocusWanted = useCell(panels.composerFocus) === sessionId;
  useEffect(() => {
    if (!isFocusWanted) return;
    area.current?.focus();
    panels.composerFocus.set(null);
  }, [isFocusWanted, panels]);

  const write = (next: string): void => {
    drafts.write(sessionId, next);
    newSessions.keepPrepared(sessionId);
  };
  const attachments = useAttachments(takesImages, setFailure, (named) => {
    write([drafts.read(sessionId), named].filter((part) => part.trim() !== '').join('\n'));
  });
  const { images } = attachments;
  const addText = (text: string): void => {
    // Read from the store: the user may have typed more since the request.
    drafts.add(sessionId, text);
    write(drafts.read(sessionId));
  };
  const takeUp = (text: string, withImages: readonly Image[] = []): void => {
    addText(text);
    if (withImages.length > 0) attachments.replace([...withImages, ...drafts.images(sessionId)]);
    area.current?.focus();
  };
  useEffect(() =>
    panels.insert.subscribe(() => {
      const insert = panels.insert.get();
      if (insert === null || insert.sessionId !== sessionId) return;
      panels.insert.set(null);
      for (const path of insert.mentions ?? []) mentions.add(path);
      takeUp(insert.text, insert.images);
    }),
  );
  const takeLateEdit = (edited: string): void => {
    addText(edited);
    setFailure('The queued message was sent without your changes. The changed text is in the composer.');
    // Its editor had the focus, unless the user went on elsewhere.
    if (document.activeElement === document.body) area.current?.focus();
  };
  const send = (mode?: 'steer'): void => {
    const content = text.trim();
    if (content === '' && images.length === 0) return;
    setFailure('');
    const named = [...mentions].filter((path) => content.includes(mentionOf(path)));
    outgoing.send(sessionId, content, {
      ...(mode && { mode }),
      ...(images.length > 0 && { images }),
      ...(named.length > 0 && { mentions: named }),
    });
    mentions.clear();
    write('');
    attachments.replace([]);
    store.goToEnd();
    area.current?.focus();
  };

  if (status?.state === 'dead') return <Ended />;
  const placeholder = isBusy ? 'Queue a message' : `Message ${agentName}`;
  return (
    <div className="composer-stack">
      <QueueList
        onTakeBack={takeUp}
        onSteered={canSteer && isBusy ? () => area.current?.focus() : undefined}
        onTooLate={takeLateEdit}
      />
      <form
        className={isOver ? 'composer composer-drop' : 'composer'}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          setIsOver(false);
          if (event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          void attachments.add([...event.dataTransfer.files]);
        }}
      >
        <AttachmentList images={images} onRemove={attachments.remove} />
        <ComposerInput
          ref={area}
          text={text}
          placeholder={placeholder}
          onText={write}
          onEnter={(held) => send(held && canSteer && isBusy ? 'steer' : undefined)}
          onFiles={(files) => void attachments.add(files)}
          onMention={(path) => mentions.add(path)}
        />
        {isBusy && text === '' && <BusyKeys canSteer={canSteer} />}
        <div className="composer-bar">
          {takesImages && <AttachButton onFiles={(files) => void attachments.add(files)} />}
          <Pickers onFailure={setFailure} />
          {isInReach && <ActivityLine />}
          <ContextMeter />
          <SendButtons
            isBusy={isBusy}
            canSteer={canSteer}
            isEmpty={text.trim() === '' && images.length === 0}
            onSteer={() => send('steer')}
            onFailure={setFailure}
          />
        </div>
      </form>
      <PlaceLine />
      {failure !== '' && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}

/** What the keys do while the agent is working, shown in the empty field. */
function BusyKeys({ canSteer }: { readonly canSteer: boolean }): ReactNode {
  return (
    <span className="composer-keys">
      <KeyPair keys="Enter">queue</KeyPair>
      {canSteer && <KeyPair keys={keysText(steerKeys)}>steer now</KeyPair>}
    </span>
  );
}
