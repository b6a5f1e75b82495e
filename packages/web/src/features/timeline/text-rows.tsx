import { isSteeringItem } from '@liminal/domain/items/item-id';
import type { ReactNode } from 'react';
import type { ItemRow } from '@liminal/domain/timeline/row';
import { LongText } from '../../rendering/long-text.tsx';
import { Markdown } from '../../rendering/markdown.tsx';
import { showControls } from '@liminal/domain/text/visible-text';
import { useItem, useExpanded } from '../../state/sessions/use-session.ts';
import { formatElapsed } from '../../ui/format.ts';
import { CollapsibleLine, RunningFor } from './collapsible-line.tsx';
import { MessageActions } from './message-actions.tsx';
import { isReview, ReviewCard } from './review-card.tsx';

/** Whether a message was sent into a running turn, by its position in the turn. */

/** The user's own message, as written. */
export function UserRow({ row }: { readonly row: ItemRow }): ReactNode {
  const item = useItem(row.itemId);
  if (item?.type !== 'message') return null;
  const attachments = item.attachments ?? [];
  return (
    <>
      <div className="user-text" dir="auto">
        <span className="visually-hidden">You: </span>
        {isReview(item.content) ? <ReviewCard item={item} /> : <LongText text={showControls(item.content)} mentions />}
        {attachments.length > 0 && (
          <ul className="user-attachments" aria-label="Attachments">
            {attachments.map((attachment, index) => (
              <li key={index}>
                {showControls(attachment.name ?? 'Image')} <span className="muted">{formatSize(attachment.size)}</span>
              </li>
            ))}
          </ul>
        )}
        {isSteeringItem(row.itemId) && <p className="row-note">Sent into the running turn</p>}
      </div>
      <MessageActions item={item} />
    </>
  );
}

const formatSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** The agent's text, which grows in place. */
export function TextRow({ row }: { readonly row: ItemRow }): ReactNode {
  const item = useItem(row.itemId);
  if (item?.type !== 'message') return null;
  return (
    <>
      <Markdown text={item.content} growing={row.state === 'open'} />
      {row.state !== 'open' && <MessageActions item={item} />}
      {row.state === 'failed' && <p className="row-note">Interrupted</p>}
    </>
  );
}

/** Thinking is one collapsed line with its duration. */
export function ThinkingRow({ row }: { readonly row: ItemRow }): ReactNode {
  const item = useItem(row.itemId);
  const [expanded, setExpanded] = useExpanded(row.key);
  if (item?.type !== 'thinking') return null;
  const isOpen = row.state === 'open';
  return (
    <CollapsibleLine
      icon="think"
      expanded={expanded}
      onToggle={setExpanded}
      aside={isOpen && <RunningFor since={item.sourceTimestamp} />}
      details={() => <Markdown text={item.content} />}
    >
      <span className="collapsible-verb">{isOpen ? 'Thinking' : `Thought${forHowLong(item)}`}</span>
    </CollapsibleLine>
  );
}

/** From its first text to its last; undefined if it came all at once, for example from a record. */
function forHowLong({ sourceTimestamp, emittedAt }: { sourceTimestamp: string; emittedAt: string }): string {
  const milliseconds = Date.parse(emittedAt) - Date.parse(sourceTimestamp);
  return milliseconds >= 1000 ? ` for ${formatElapsed(milliseconds)}` : '';
}

/** A message of the system, neither from the user nor from the agent. */
export function NoteRow({ row }: { readonly row: ItemRow }): ReactNode {
  const item = useItem(row.itemId);
  if (item?.type !== 'message') return null;
  return (
    <p className={row.state === 'failed' ? 'system-note system-note-failed' : 'system-note'} dir="auto">
      <LongText text={showControls(item.content)} />
    </p>
  );
}
