import { useState, type ReactNode } from 'react';
import { showHidden } from '@liminal/domain/text/visible-text';
import { machineTrouble } from '../../state/workbench/describe-machine.ts';
import { sessionsOf } from '../../state/workbench/directory-store.ts';
import { useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';

/** Any further projects are only in the sidebar. */
const most = 7;

/** The user's projects; choosing one starts a session in it. */
export function ProjectCards(): ReactNode {
  const { panels, startDemo } = useWorkbench();
  const directory = useDirectory();
  const [problem, setProblem] = useState('');
  return (
    <section aria-labelledby="home-projects">
      <header className="home-head">
        <h2 id="home-projects">Projects</h2>
        <button
          type="button"
          className="home-more"
          title="A scripted agent in a scratch folder. No account needed."
          onClick={() => void startDemo().then((failure) => setProblem(failure?.message ?? ''))}
        >
          Try the demo
        </button>
      </header>
      <div className="project-cards">
        {directory.projects.slice(0, most).map((project) => {
          const { projectId, name, branch, node, dir } = project;
          const trouble = machineTrouble(node);
          const facts = [plural(sessionsOf(directory, projectId).length, 'session'), trouble || (branch ?? '')];
          return (
            <button
              key={projectId}
              type="button"
              className="project-card"
              title={showHidden(dir)}
              disabled={trouble !== ''}
              onClick={() => panels.open({ name: 'new-session', projectId })}
            >
              <span className="project-card-name">
                <Icon name="folder" size={14} />
                <span className="recent-name">{name}</span>
              </span>
              <span className="project-card-facts">{showHidden(facts.filter((fact) => fact !== '').join(' · '))}</span>
            </button>
          );
        })}
        <button
          type="button"
          className="project-card project-card-new"
          onClick={() => panels.open({ name: 'add-project' })}
        >
          <Icon name="add" size={14} /> Add project
        </button>
      </div>
      {problem !== '' && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
