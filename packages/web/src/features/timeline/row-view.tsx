import { memo } from 'react';
import type { Row } from '@liminal/domain/timeline/row';
import { GroupRow } from './tools/group-row.tsx';
import { PlanRow } from './plan-row.tsx';
import { NoteRow, TextRow, ThinkingRow, UserRow } from './text-rows.tsx';
import { ToolRow } from './tools/tool-row.tsx';
import { TurnEndRow } from './turn-end-row.tsx';

/** One row by its kind. A row object is replaced when it changes, so an unchanged one is never redrawn. */
export const RowView = memo(({ row }: { readonly row: Row }) => {
  switch (row.kind) {
    case 'user':
      return <UserRow row={row} />;
    case 'text':
      return <TextRow row={row} />;
    case 'thinking':
      return <ThinkingRow row={row} />;
    case 'plan':
      return <PlanRow row={row} />;
    case 'note':
      return <NoteRow row={row} />;
    case 'tool':
      return (
        <ToolRow row={row}>
          {row.children.map((child) => (
            <RowView key={child.key} row={child} />
          ))}
        </ToolRow>
      );
    case 'group':
      return <GroupRow row={row} />;
    case 'turn-start':
      return <p className="turn-start">Continued after a background task</p>;
    case 'turn-end':
      return <TurnEndRow row={row} />;
  }
});
