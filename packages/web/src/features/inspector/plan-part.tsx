import type { ReactNode } from 'react';
import type { PlanUpsert, UpsertObject } from '@liminal/contracts';
import { itemsInOrder } from '@liminal/domain/timeline/timeline';
import { useItem, useSession } from '../../state/sessions/use-session.ts';
import { plural } from '../../ui/format.ts';
import { EmptyList } from '../../ui/list-state.tsx';
import { showControls } from '@liminal/domain/text/visible-text';

const labels = { pending: 'to do', in_progress: 'in progress', completed: 'done' } as const;
const marks = { pending: '○', in_progress: '◐', completed: '●' } as const;

const isPlan = (item: UpsertObject): item is PlanUpsert => item.type === 'plan';

/** The newest plan of the session and its progress. */
export function PlanPart(): ReactNode {
  const { store } = useSession();
  const itemId = [...itemsInOrder(store.timeline)].findLast(isPlan)?.itemId ?? '';
  const item = useItem(itemId);
  if (item === undefined || !isPlan(item) || item.entries.length === 0)
    return <EmptyList title="No plan yet">Agents write a plan for longer work. Its steps appear here.</EmptyList>;
  const done = item.entries.filter((entry) => entry.status === 'completed').length;
  return (
    <>
      <p className="inspector-note">{`${done} of ${plural(item.entries.length, 'step')} done`}</p>
      <ol className="inspector-list">
        {item.entries.map((entry, index) => (
          <li key={index} className={`inspector-step inspector-step-${entry.status}`}>
            <span aria-hidden="true">{marks[entry.status]}</span>
            <span dir="auto">
              {showControls(entry.content)}
              <span className="visually-hidden">{`, ${labels[entry.status]}`}</span>
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
