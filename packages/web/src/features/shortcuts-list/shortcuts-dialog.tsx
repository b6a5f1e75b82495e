import type { ReactNode } from 'react';
import type { Action } from '../../state/workbench/actions.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { keysText } from '../../ui/keys.ts';
import './shortcuts.css';

type ShortcutsDialogProps = { readonly actions: readonly Action[]; readonly onClose: () => void };

/** Keys that aren't actions, but depend on the current view. */
const others: ReadonlyArray<readonly [string, string]> = [
  ['Alt+1 … 9', 'Go to tab 1 to 9'],
  ['Esc', 'Stop the agent, go to its permission request, or refuse it'],
  ['Enter', 'Send message'],
  ['Shift+Enter', 'New line'],
  ['1 … 9', 'Answer a permission request'],
  ['Ctrl+← →', 'Move the focused tab'],
  ['Delete', 'Close the focused tab'],
  ['F2', 'Rename the focused session'],
];

/** In an order that fills two columns about equally. */
const columns: ReadonlyArray<Action['group']> = ['Sessions', 'Tabs', 'Page', 'This session'];

/** All keys and what they do. */
export default function ShortcutsDialog({ actions, onClose }: ShortcutsDialogProps): ReactNode {
  const groups = columns.filter((group) => actions.some((action) => action.group === group));
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} wide>
      <div className="shortcuts">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {actions
                .filter((action) => action.group === group)
                .flatMap((action) => (action.keys === undefined ? [] : [{ ...action, keys: keysText(action.keys) }]))
                .map((action) => (
                  <Line key={action.id} keys={action.keys} title={action.title} />
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>In this view</h3>
          <dl>
            {others.map(([keys, title]) => (
              <Line key={keys} keys={keys} title={title} />
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}

function Line({ keys, title }: { readonly keys: string; readonly title: string }): ReactNode {
  return (
    <div className="shortcut">
      <dt>{title}</dt>
      <dd>
        <kbd className="key-hint shortcut-keys">{keys}</kbd>
      </dd>
    </div>
  );
}
