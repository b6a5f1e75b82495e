import type { ReactNode } from 'react';
import type { GroupRow as GroupRowShape } from '@liminal/domain/timeline/row';
import { useUnfolded } from '../../state/sessions/use-session.ts';
import { plural } from '../../ui/format.ts';
import { FoldLine } from './fold-line.tsx';
import { ToolRow } from './tool-row.tsx';

/** Neighbouring reads and searches as one line with a count. */
export function GroupRow({ row }: { readonly row: GroupRowShape }): ReactNode {
  const [unfolded, setUnfolded] = useUnfolded(row.key);
  const counts = [
    row.reads > 0 ? `Read ${plural(row.reads, 'file')}` : '',
    row.searches > 0
      ? `${row.reads > 0 ? 's' : 'S'}earched ${row.searches === 1 ? 'once' : `${row.searches} times`}`
      : '',
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
      <span className="fold-verb">{counts.filter((part) => part !== '').join(', ')}</span>
    </FoldLine>
  );
}
