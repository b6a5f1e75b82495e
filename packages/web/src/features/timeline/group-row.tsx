import type { ReactNode } from 'react';
import type { GroupRow as GroupRowShape } from '@liminal/domain/timeline/row';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useSession, useUnfolded } from '../../state/sessions/use-session.ts';
import { plural } from '../../ui/format.ts';
import { describeTool } from './describe-tool.ts';
import { FoldLine } from './fold-line.tsx';
import { ToolRow } from './tool-row.tsx';

/** So many of what was looked at are named. */
const named = 2;

/** Neighbouring reads and searches as one line: what was looked at, and how often. */
export function GroupRow({ row }: { readonly row: GroupRowShape }): ReactNode {
  const { store, projectDir } = useSession();
  const [unfolded, setUnfolded] = useUnfolded(row.key);
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
    <FoldLine
      icon={row.reads > 0 ? 'read' : 'search'}
      unfolded={unfolded}
      onToggle={setUnfolded}
      details={() =>
        row.itemIds.map((itemId) => (
          <ToolRow key={itemId} row={{ kind: 'tool', key: itemId, itemId, state: 'done', children: [] }} />
        ))
      }
    >
      <span className="fold-verb">Explored</span>
      <span className="fold-target fold-target-code">
        {showHidden(different.slice(0, named).join(', '))}
        {more > 0 && ` and ${more} more`}
      </span>
      <span className="fold-outcome">{counts.filter((part) => part !== '').join(', ')}</span>
    </FoldLine>
  );
}

const lastPart = (path: string): string => path.split('/').at(-1) ?? path;
