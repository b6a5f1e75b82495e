import type { ReactNode } from 'react';
import type { TurnTerminal, UpsertObject } from '@liminal/contracts';
import type { Row } from '@liminal/domain/timeline/row';
import { useRowsVersion, useSession } from '../../../state/sessions/use-session.ts';
import { render } from '../../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../../testing/test-page.ts';
import { RowView } from '../row-view.tsx';

/** All rows, without a virtual list. */
function AllRows(): ReactNode {
  const { rows } = useSession().store;
  useRowsVersion();
  return Array.from({ length: rows.length }, (_, index) => rows.at(index))
    .filter((row): row is Row => row !== undefined)
    .map((row) => <RowView key={row.key} row={row} />);
}

/** Shows the rows of one turn with these items; it is running unless it gets an end. */
export async function showRows(items: readonly UpsertObject[], ended?: Partial<TurnTerminal>): Promise<TestPage> {
  const terminal = {
    type: 'turn_complete',
    turnId: 't1',
    sessionId: 's',
    status: 'completed',
    ...ended,
  } as TurnTerminal;
  const state = terminal.type === 'turn_error' ? 'failed' : terminal.status;
  const page = createTestPage({
    entries: items.map((item, order) => ({ ...item, order })),
    turns: [ended === undefined ? { turnId: 't1', state: 'running' } : { turnId: 't1', state, ended: terminal }],
  });
  await render(page, <AllRows />);
  return page;
}
