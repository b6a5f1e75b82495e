import { useState, type ReactNode } from 'react';
import { useFolders } from '../../state/workbench/use-folders.ts';
import { useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { FolderForm } from '../../ui/folders/folder-form.tsx';
import './welcome.css';

/** The storage key of a typed path that wasn't added. */
const folderDraft = 'folder';

/** The first screen without projects: try the demo, or add a folder. */
export function Welcome(): ReactNode {
  const { directory, drafts, startDemo } = useWorkbench();
  const { loaded, failure } = useDirectory();
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
          <h2>See how it works</h2>
          <p className="muted">
            A scripted agent in a scratch folder. No account, no model, and your files stay untouched.
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
        {/* Last, because its completions grow downwards and move nothing. */}
        <section className="welcome-card">
          <h2>Add project</h2>
          <FolderForm
            useChoices={useFolders}
            initial={drafts.read(folderDraft)}
            onWrite={(dir) => drafts.write(folderDraft, dir)}
            onAdd={async (dir) => (await directory.addProject(dir))?.message ?? null}
          />
        </section>
        {failure !== null && !loaded && <p className="field-error">{failure.message}</p>}
      </div>
    </div>
  );
}
