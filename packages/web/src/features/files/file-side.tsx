import { useState, type ReactNode } from 'react';
import type { FilePlace } from '../../state/files/file-store.ts';
import type { TreeStore } from '../../state/files/tree-store.ts';
import { useCell } from '../../state/workbench/use-workbench.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { ContentSearch } from './content-search.tsx';
import { FileTree } from './file-tree.tsx';
import { PathDialog } from './path-dialog.tsx';
import { useFileTasks } from './use-file-tasks.ts';

type FileSideProps = {
  readonly tree: TreeStore;
  readonly folder: {
    readonly sessionId: string;
    readonly projectId: string;
    readonly worktreeId: string | undefined;
    readonly root: string;
  };
  readonly active: string | null;
  readonly onOpen: (place: FilePlace, isNewTab?: boolean) => void;
};

/** The tree of a folder or the search in its files, and the result of the last action. */
export function FileSide({ tree, folder, active, onOpen }: FileSideProps): ReactNode {
  const [mode, setMode] = useState<'tree' | 'search'>('tree');
  const { showsIgnored } = useCell(tree.state);
  const tasks = useFileTasks({ tree, ...folder });
  const { asked, outcome } = tasks;
  const modeButton = (name: typeof mode, label: string): ReactNode => (
    <Button look={mode === name ? 'plain' : 'quiet'} aria-pressed={mode === name} onClick={() => setMode(name)}>
      {label}
    </Button>
  );
  const { undoId } = outcome ?? {};
  return (
    <div className="files-side">
      <div className="files-modes">
        <div className="files-mode-buttons" role="group" aria-label="Files or search">
          {modeButton('tree', 'Files')}
          {modeButton('search', 'Search')}
        </div>
        {mode === 'tree' && (
          <>
            <IconButton label="New file" onClick={() => tasks.ask({ kind: 'new', from: '' })}>
              <Icon name="add" />
            </IconButton>
            <MenuButton
              label="More actions for this folder"
              items={[
                {
                  label: 'Show ignored files',
                  isChosen: showsIgnored,
                  onChoose: () => tree.showIgnored(!showsIgnored),
                },
                ...tasks.itemsOf({ path: '', kind: 'folder' }),
              ]}
            />
          </>
        )}
      </div>
      {mode === 'tree' ? (
        <FileTree
          tree={tree}
          active={active}
          onOpen={(path, isNewTab) => onOpen({ path }, isNewTab)}
          itemsOf={tasks.itemsOf}
          onRename={(path) => tasks.ask({ kind: 'move', from: path })}
          onDelete={(path) => void tasks.remove(path)}
        />
      ) : (
        <ContentSearch projectId={folder.projectId} worktreeId={folder.worktreeId} onOpen={onOpen} />
      )}
      <div role="status" className="files-outcome">
        {outcome !== null && (
          <>
            <span className="files-outcome-text">{outcome.text}</span>
            {undoId !== undefined && <Button onClick={() => void tasks.undo(undoId)}>Undo</Button>}
            <IconButton label="Dismiss" onClick={tasks.dismiss}>
              <Icon name="close" size={14} />
            </IconButton>
          </>
        )}
      </div>
      {asked !== null && <PathDialog asked={asked} onAnswer={tasks.answer} onClose={() => tasks.ask(null)} />}
    </div>
  );
}
