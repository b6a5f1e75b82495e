import type { ReactNode } from 'react';
import { titleOf } from '../../state/sessions/titles.ts';
import { useNow } from '../../state/base/use-now.ts';
import { useStatuses } from '../../state/sessions/use-statuses.ts';
import { useDirectory } from '../../state/workbench/use-workbench.ts';
import { formatAgo } from '../../ui/format.ts';
import { keysText } from '../../ui/keys.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { AgentIcon } from '../../ui/agent-icon.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import type { Entry } from './entries.ts';
import { showControls } from '@liminal/domain/text/visible-text';
import { snippetParts } from '@liminal/domain/search/snippet';

/** The icons that these actions have elsewhere in the page. */
const actionIcons: Readonly<Record<string, IconName>> = {
  'new-session': 'compose',
  'next-waiting': 'question',
  inbox: 'inbox',
  search: 'search',
  worktrees: 'branch',
  comparisons: 'beside',
  'project-settings': 'settings',
  'add-project': 'addFolder',
  'next-project': 'folder',
  composer: 'edit',
  permission: 'question',
  inspector: 'inspector',
  rename: 'edit',
  archive: 'archive',
  delete: 'delete',
  sidebar: 'sidebar',
  settings: 'settings',
  find: 'search',
  quote: 'comment',
  beside: 'beside',
  right: 'beside',
  below: 'unified',
  'close-tab': 'close',
  'close-other-tabs': 'close',
  'move-tab-left': 'move',
  'move-tab-right': 'move',
  'tab-list': 'down',
  'previous-message': 'arrowUp',
  'next-message': 'arrowDown',
  terminal: 'execute',
  'new-terminal': 'execute',
  'new-terminal-tab': 'execute',
  'move-terminal': 'execute',
  review: 'review',
  files: 'folder',
  'bring-back': 'branch',
  park: 'branch',
};

const iconOf = (id: string): IconName => actionIcons[id] ?? (id.startsWith('go-to-') ? 'folder' : 'chevron');

type EntryLineProps = {
  readonly id: string;
  readonly entry: Entry;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onTake: (beside: boolean) => void;
};

export function EntryLine({ id, entry, isChosen, onPoint, onTake }: EntryLineProps): ReactNode {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      className={isChosen ? 'palette-entry palette-entry-chosen' : 'palette-entry'}
      ref={(element) => {
        if (isChosen) element?.scrollIntoView({ block: 'nearest' });
      }}
      onPointerMove={onPoint}
      onClick={(event) => onTake(event.ctrlKey || event.metaKey)}
    >
      <Words entry={entry} />
    </div>
  );
}

function Words({ entry }: { readonly entry: Entry }): ReactNode {
  const now = useNow(60_000);
  const statusOf = useStatuses();
  const { projects } = useDirectory();
  const projectName = (projectId: string): string =>
    projects.find((project) => project.projectId === projectId)?.name ?? '';
  switch (entry.kind) {
    case 'action':
      return (
        <>
          <span className="palette-mark">
            <Icon name={iconOf(entry.action.id)} size={14} />
          </span>
          <span className="palette-label">{entry.action.title}</span>
          {entry.action.keys !== undefined && <kbd className="key-hint">{keysText(entry.action.keys)}</kbd>}
        </>
      );
    case 'session':
      return (
        <>
          <span className="palette-mark">
            {statusOf(entry.session.sessionId) === 'idle' ? (
              <AgentIcon agent={entry.session.cliType} size={14} />
            ) : (
              <StatusBadge status={statusOf(entry.session.sessionId)} />
            )}
          </span>
          <span className="palette-label">{titleOf(entry.session)}</span>
          <span className="palette-facts">
            {`${projectName(entry.session.projectId)} · ${formatAgo(entry.session.updatedAt, now)}`}
          </span>
        </>
      );
    case 'hit':
      return (
        <>
          <span className="palette-mark">
            <Icon name="comment" size={14} />
          </span>
          <span className="palette-hit">
            <span className="palette-snippet" dir="auto">
              <Snippet text={entry.hit.snippet} />
            </span>
            <span className="palette-facts">
              {[
                showControls(entry.hit.title),
                projectName(entry.hit.projectId),
                formatAgo(entry.hit.at ?? entry.hit.updatedAt, now),
                entry.hit.archived ? 'archived' : '',
                entry.hit.more === true ? 'More in this session' : '',
              ]
                .filter((part) => part !== '')
                .join(' · ')}
            </span>
          </span>
        </>
      );
  }
}

/** A line with its matches marked; everything else in it is plain text. */
function Snippet({ text }: { readonly text: string }): ReactNode {
  return snippetParts(text.replace(/\s+/g, ' ')).map((part, index) =>
    part.isFind ? <mark key={index}>{showControls(part.text)}</mark> : showControls(part.text),
  );
}
