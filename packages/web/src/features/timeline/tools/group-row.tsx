import type { ReactNode } from 'react';
import type { GroupRow as GroupRowShape } from '@liminal/domain/timeline/row';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useSession, useExpanded } from '../../../state/sessions/use-session.ts';
import { plural } from '../../../ui/format.ts';
import { describeTool } from './describe-tool.ts';
import { CollapsibleLine } from '../collapsible-line.tsx';
import { ToolRow } from './tool-row.tsx';

/** How many targets are named. */
const named = 2;

/** Neighbouring reads and searches as one line: their targets and their number. */
export function GroupRow({ row }: { readonly row: GroupRowShape }): ReactNode {
  const { store, projectDir } = useSession();
  const [expanded, setExpanded] = useExpanded(row.key);
  const targets = row.itemIds.flatMap((itemId) => {
    const item = store.item(itemId);
    return item?.type === 'tool_call' ? [lastPart(describeTool(item, projectDir).target)] : [];
  });
  const different = [...new Set(targets)];
  const more = different.length - named;
  const counts = [
    row.reads > 0 ? plural(row.reads, 'read') : '',
    row.searches > 0 ? plural(row.searches, 'search', 'searches') : '',
  ];
  return (
    <CollapsibleLine
      icon="search"
      expanded={expanded}
      onToggle={setExpanded}
      details={() =>
        row.itemIds.map((itemId) => (
          <ToolRow key={itemId} row={{ kind: 'tool', key: itemId, itemId, state: 'done', children: [] }} />
        ))
      }
    >
      <span className="collapsible-verb">Explored</span>
      <span className="collapsible-target collapsible-target-code">
        {showHidden(different.slice(0, named).join(', '))}
        {more > 0 && ` and ${more} more`}
      </span>
      <span className="collapsible-outcome">{counts.filter((part) => part !== '').join(', ')}</span>
    </CollapsibleLine>
  );
}

const lastPart = (path: string): string => path.split('/').at(-1) ?? path;
