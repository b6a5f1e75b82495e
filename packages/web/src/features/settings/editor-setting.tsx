import type { ReactNode } from 'react';
import { editors } from '../../state/layout/editor-store.ts';
import { useCell, useWorkbench } from '../../state/workbench/use-workbench.ts';

/** The editor that "Open in editor" uses. */
export function EditorSetting(): ReactNode {
  const { editor } = useWorkbench();
  const { name: chosen, command } = useCell(editor);
  return (
    <fieldset className="setting">
      <legend>Editor for files</legend>
      <div className="segments">
        {editors.map(([name, label]) => (
          <label key={name} className="segment">
            <input
              type="radio"
              name="editor"
              value={name}
              checked={chosen === name}
              onChange={() => editor.set({ name, command })}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {chosen === 'command' && (
        <label>
          <span className="muted">
            Runs in a terminal on the server’s machine. {'{path}'}, {'{line}'} and {'{column}'} are filled in.
          </span>
          <input
            className="input"
            aria-label="Editor command"
            value={command}
            onChange={(event) => editor.set({ name: chosen, command: event.target.value })}
          />
        </label>
      )}
    </fieldset>
  );
}
