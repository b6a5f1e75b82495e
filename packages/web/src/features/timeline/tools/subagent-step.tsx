import type { ReactNode } from 'react';
import type { Row, ToolRow } from '@liminal/domain/timeline/row';
import { useItem, useSession } from '../../../state/sessions/use-session.ts';
import { describeTool } from './describe-tool.ts';
import { showHidden } from '@liminal/domain/text/visible-text';

const itemIdOf = (row: Row | undefined): string =>
  row === undefined || row.kind === 'turn-start' || row.kind === 'turn-end'
    ? ''
    : row.kind === 'group'
      ? (row.itemIds.at(-1) ?? '')
      : row.itemId;

/** What a subagent does right now, on the one line of its call. */
export function SubagentStep({ row }: { readonly row: ToolRow }): ReactNode {
  const { projectDir } = useSession();
  const item = useItem(itemIdOf(row.children.at(-1)));
  if (item === undefined) return null;
  const text =
    item.type === 'tool_call'
      ? `${describeTool(item, projectDir).verb} ${describeTool(item, projectDir).target}`
      : { message: 'writing', thinking: 'thinking', plan: 'planning' }[item.type];
  return <span className="collapsible-step">{showHidden(text)}</span>;
}
