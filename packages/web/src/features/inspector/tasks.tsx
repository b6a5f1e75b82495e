import type { ReactNode } from 'react';
import type { BackgroundTask } from '@liminal/contracts';
import { EmptyList } from '../../ui/list-state.tsx';
import { StatusBadge, type StatusName } from '../../ui/status-badge.tsx';
import { showControls } from '@liminal/domain/text/visible-text';

const labels: Record<BackgroundTask['state'], string> = {
  running: 'Running',
  completed: 'Done',
  failed: 'Failed',
  stopped: 'Stopped',
};
const statuses: Record<BackgroundTask['state'], StatusName> = {
  running: 'working',
  completed: 'idle',
  failed: 'failed',
  stopped: 'idle',
};
const rank: Record<BackgroundTask['state'], number> = { running: 0, failed: 1, completed: 2, stopped: 2 };

/** The agent's background tasks, running ones first. */
export function Tasks({ tasks }: { readonly tasks: readonly BackgroundTask[] }): ReactNode {
  if (tasks.length === 0)
    return (
      <EmptyList title="No background tasks">
        Programs the agent leaves running, such as a server or a long test, appear here.
      </EmptyList>
    );
  return (
    <ul className="inspector-list">
      {tasks
        .toSorted((a, b) => rank[a.state] - rank[b.state])
        .map((task) => (
          <li key={task.taskId} className="inspector-task">
            <span className="inspector-task-labels" dir="auto">
              {showControls(task.title)}
            </span>
            <span className="inspector-task-state">
              <StatusBadge status={statuses[task.state]} /> {labels[task.state]}
            </span>
          </li>
        ))}
    </ul>
  );
}
