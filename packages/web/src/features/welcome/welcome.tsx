import { useState, type ReactNode } from 'react';
import { useFolders } from '../../state/workbench/use-folders.ts';
import { useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { FolderForm } from '../../ui/folder-form.tsx';
import './welcome.css';

/** The first screen: try it at once, or begin with a folder of one's own. */
export function Welcome({ onFolderAdded }: { readonly onFolderAdded: () => void }): ReactNode {
  const { directory, startDemo } = useWorkbench();
  const { projects, loaded, failure } = useDirectory();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const tryDemo = async (): Promise<void> => {
    setBusy(true);
    setProblem((await startDemo())?.message ?? '');
    setBusy(false);
  };
  return (
    <div className="welcome">
      <div className="welcome-body">
        <h1>Liminal Builder</h1>
        <p className="muted">
          Run coding agents side by side in your own folders. See what each one does, and decide what it may do.
        </p>
        <section className="welcome-card">
          <h2>Add project</h2>
          <FolderForm
            useChoices={useFolders}
            onAdd={async (dir) => (await directory.addProject(dir))?.message ?? null}
            onAdded={onFolderAdded}
          />
        </section>
        <section className="welcome-card">
          <h2>Try the demo</h2>
          <p className="muted">
            A scripted agent that edits files in a scratch project, for you to review and commit. No account, no model,
            and your own files stay untouched.
          </p>
          <Button onClick={() => void tryDemo()} disabled={busy}>
            Try the demo
          </Button>
          {problem !== '' && (
            <p className="field-error" role="alert">
              {problem}
            </p>
          )}
        </section>
        {loaded && projects.length > 0 && (
          <p className="muted">Or open a session from the sidebar, or start one there.</p>
        )}
        {failure !== null && !loaded && <p className="field-error">{failure.message}</p>}
      </div>
    </div>
  );
}
