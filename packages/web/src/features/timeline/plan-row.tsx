import type { ReactNode } from 'react';
import type { PlanEntry } from '@liminal/contracts';
import type { ItemRow } from '@liminal/domain/timeline/row';
import { useItem } from '../../state/sessions/use-session.ts';
import { showControls } from '@liminal/domain/text/visible-text';

const marks: Record<PlanEntry['status'], string> = {
  pending: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3z',
  in_progress: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3zM8 6.8a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4z',
  completed: 'M3.5 8.5 6.5 11.5 12.5 4.5',
};
const labels: Record<PlanEntry['status'], string> = { pending: 'To do', in_progress: 'In progress', completed: 'Done' };

/** The agent's plan, with finished and next steps. */
export function PlanRow({ row }: { readonly row: ItemRow }): ReactNode {
  const item = useItem(row.itemId);
  if (item?.type !== 'plan') return null;
  const done = item.entries.filter((entry) => entry.status === 'completed').length;
  return (
    <section className="plan" aria-label="Plan">
      <p className="plan-head">
        Plan <span className="muted">{`${done} of ${item.entries.length} done`}</span>
      </p>
      <ul>
        {item.entries.map((entry, index) => (
          <li key={index} className={`plan-entry plan-${entry.status}`}>
            <svg
              width="16"
              height="16"
              viewBox="0 0 16 16"
              aria-hidden="true"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
            >
              <path d={marks[entry.status]} />
            </svg>
            <span className="visually-hidden">{labels[entry.status]}: </span>
            <span dir="auto">{showControls(entry.content)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
