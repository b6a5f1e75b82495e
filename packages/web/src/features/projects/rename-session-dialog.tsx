import { useState, type ReactNode } from 'react';
import type { SessionSummary } from '@liminal/contracts';
import { enteredTitle, longestTitle } from '../../state/sessions/titles.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';

type RenameSessionDialogProps = { readonly session: SessionSummary; readonly onClose: () => void };

/** Renames a session whose row in the sidebar may not be visible. */
export function RenameSessionDialog({ session, onClose }: RenameSessionDialogProps): ReactNode {
  const { rename } = useWorkbench();
  const [text, setText] = useState(session.title);
  return (
    <Dialog title="Rename session" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const title = enteredTitle(text, session.title);
          if (title !== null) void rename(session.sessionId, title);
          onClose();
        }}
      >
        <input
          className="input"
          aria-label="Session title"
          data-autofocus
          value={text}
          maxLength={longestTitle}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={text.trim() === ''}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
