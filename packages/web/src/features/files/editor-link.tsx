import type { ReactNode } from 'react';
import { editorAddress, editorCommand, editors } from '../../state/layout/editor-store.ts';
import { useCell, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

type EditorLinkProps = {
  readonly projectId: string;
  readonly worktreeId: string | undefined;
  /** The folder of the session. */
  readonly root: string;
  readonly path: string;
  readonly line: number | undefined;
};

/** Opens the shown file in the user's own editor. */
export function EditorLink({ projectId, worktreeId, root, path, line }: EditorLinkProps): ReactNode {
  const { editor, terminals } = useWorkbench();
  const { name, command } = useCell(editor);
  const place = { path: `${root}/${path}`, line };
  const address = editorAddress(name, place);
  const label = address === null ? 'Open in editor' : `Open in ${editors.find(([each]) => each === name)?.[1] ?? ''}`;
  return address === null ? (
    <IconButton
      label={label}
      onClick={() =>
        void terminals.open(projectId, { command: editorCommand(command, place), title: 'Editor', worktreeId })
      }
    >
      <Icon name="code" />
    </IconButton>
  ) : (
    <a className="icon-button editor-link" href={address} title={label} aria-label={label}>
      <Icon name="code" />
    </a>
  );
}
