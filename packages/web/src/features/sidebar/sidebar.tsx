import { useState, type ReactNode } from 'react';
import type { Project } from '@liminal/contracts';
import { useDirectory, useWorkbench } from '../../state/use-workbench.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FolderForm } from '../../ui/folder-form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NewSessionDialog } from './new-session-dialog.tsx';
import { ProjectSection } from './project-section.tsx';
import { ThemeChoice } from './theme-choice.tsx';
import './sidebar.css';

type SidebarProps = {
  readonly onChosen: () => void;
  readonly onHome: () => void;
};

/** Projects and their sessions, and the ways to begin. */
export function Sidebar({ onChosen, onHome }: SidebarProps): ReactNode {
  const { directory: store } = useWorkbench();
  const { projects, loaded } = useDirectory();
  const [adding, setAdding] = useState(false);
  const [starting, setStarting] = useState<Project | null>(null);
  return (
    <nav className="sidebar" aria-label="Projects and sessions">
      <header className="sidebar-head">
        <button type="button" className="sidebar-name" onClick={onHome}>
          Liminal Builder
        </button>
        <IconButton label="Add a project folder" onClick={() => setAdding(true)}>
          <Icon name="add" />
        </IconButton>
      </header>
      <div className="sidebar-list">
        {projects.map((project) => (
          <ProjectSection
            key={project.projectId}
            project={project}
            onChosen={onChosen}
            onNew={() => setStarting(project)}
          />
        ))}
        {loaded && projects.length === 0 && (
          <div className="sidebar-empty">
            <p className="muted">No project folders yet.</p>
            <Button onClick={() => setAdding(true)}>Add a project folder</Button>
          </div>
        )}
      </div>
      <footer className="sidebar-foot">
        <ThemeChoice />
      </footer>
      {adding && (
        <Dialog title="Add a project folder" onClose={() => setAdding(false)}>
          <FolderForm
            onAdd={async (dir) => (await store.addProject(dir))?.message ?? null}
            onAdded={() => setAdding(false)}
          />
        </Dialog>
      )}
      {starting !== null && (
        <NewSessionDialog project={starting} onClose={() => setStarting(null)} onStarted={onChosen} />
      )}
    </nav>
  );
}
