import { useState, type ReactNode } from 'react';
import type { MessageUpsert } from '@liminal/contracts';
import { useSession } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import './message-actions.css';

/** When a message was said, and what can be done with it. Seen on hover and focus; on touch after a tap on the row. */
export function MessageActions({ item }: { readonly item: MessageUpsert }): ReactNode {
  const { store } = useSession();
  const { outgoing, panels } = useWorkbench();
  const [isSent, setSent] = useState(false);
  const { sessionId } = store;
  const isOwn = item.origin === 'user';
  return (
    <div className="message-actions" role="group" aria-label={isOwn ? 'Your message' : 'Agent’s message'}>
      <time dateTime={item.sourceTimestamp} title={new Date(item.sourceTimestamp).toLocaleString()}>
        {new Date(item.sourceTimestamp).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
      </time>
      <CopyButton label="Copy message" text={() => item.content} />
      {isOwn && item.content !== '' && (
        <>
          <IconButton label="Reuse message" onClick={() => panels.insert.set({ sessionId, text: item.content })}>
            <Icon name="edit" />
          </IconButton>
          <IconButton
            label="Retry message"
            disabled={isSent}
            onClick={() => {
              setSent(true);
              outgoing.send(sessionId, item.content);
              store.goToEnd();
            }}
          >
            <Icon name="retry" />
          </IconButton>
        </>
      )}
    </div>
  );
}
