import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useInfo, useRowsVersion, useSession } from '../../state/sessions/use-session.ts';
import { useCell, useWorkbench } from '../../state/workbench/use-workbench.ts';
import type { InspectorPart } from '../../state/layout/panel-store.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { AccountPart } from './account-part.tsx';
import { Changes, useChanges } from './changes.tsx';
import { PlanPart } from './plan-part.tsx';
import { Tasks } from './tasks.tsx';
import { UsagePart } from './usage-part.tsx';
import './inspector.css';

/** In the order of the tabs. */
const names: Readonly<Record<InspectorPart, string>> = {
  changes: 'Changes',
  plan: 'Plan',
  tasks: 'Tasks',
  usage: 'Usage',
  decisions: 'Decisions',
};
const parts = Object.keys(names) as readonly InspectorPart[];

/** The session's changes, plan, background tasks and usage, and the user's decisions. */
export function Inspector({ decisions }: { readonly decisions: ReactNode }): ReactNode {
  const { panels } = useWorkbench();
  const part = useCell(panels.inspectorPart);
  // Rows change when a call ends; growing text doesn't affect anything here.
  useRowsVersion();
  const tasks = useInfo().backgroundTasks ?? [];
  const changes = useChanges();
  const running = tasks.filter((task) => task.state === 'running').length;
  const counts: Partial<Record<InspectorPart, number>> = {
    changes: changes.reply?.ok === true ? changes.reply.value.total : 0,
    tasks: running,
  };
  const contents: Readonly<Record<InspectorPart, () => ReactNode>> = {
    changes: () => <Changes {...changes} />,
    plan: () => <PlanPart />,
    tasks: () => <Tasks tasks={tasks} />,
    usage: () => (
      <>
        <AccountPart />
        <UsagePart />
      </>
    ),
    decisions: () => decisions,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = parts.at((parts.indexOf(part) + step) % parts.length);
    if (next === undefined) return;
    panels.inspectorPart.set(next);
    document.querySelector<HTMLElement>(`#inspector-tab-${next}`)?.focus();
  };

  return (
    <aside className="inspector" aria-label="Session details">
      <header className="inspector-head">
        <div className="inspector-tabs" role="tablist" aria-label="Details" onKeyDown={onKeyDown}>
          {parts.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`inspector-tab-${name}`}
              className={name === part ? 'inspector-tab inspector-tab-chosen' : 'inspector-tab'}
              aria-selected={name === part}
              {...(name === part ? { 'aria-controls': 'inspector-panel' } : {})}
              tabIndex={name === part ? 0 : -1}
              onClick={() => panels.inspectorPart.set(name)}
            >
              {names[name]}
              {(counts[name] ?? 0) > 0 && <span className="inspector-count">{counts[name]}</span>}
            </button>
          ))}
        </div>
        <IconButton label="Close details" onClick={() => panels.inspector.set(false)}>
          <Icon name="close" />
        </IconButton>
      </header>
      <div
        id="inspector-panel"
        className="inspector-body"
        role="tabpanel"
        aria-labelledby={`inspector-tab-${part}`}
        tabIndex={0}
      >
        {contents[part]()}
        {(part === 'plan' || part === 'usage') && <OlderLine />}
      </div>
    </aside>
  );
}

/** Only loaded turns are counted; the user can load and count the rest. */
function OlderLine(): ReactNode {
  const { store } = useSession();
  const { loadOlder } = useWorkbench();
  const [busy, setBusy] = useState(false);
  if (!store.timeline.hasMore) return null;
  return (
    <p className="inspector-note">
      Includes only the turns loaded so far.{' '}
      <button
        type="button"
        className="link-button"
        disabled={busy}
        onClick={() => {
          setBusy(true);
          void loadOlder(store).then(() => setBusy(false));
        }}
      >
        Load older turns
      </button>
    </p>
  );
}
