import { useEffect, useState, type ReactNode } from 'react';
import { useSession } from '../../state/sessions/use-session.ts';
import { useWorktreeId } from '../../state/sessions/use-worktree-id.ts';
import { useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { splitPath } from '../../ui/folders/folder-path.ts';
import { Icon } from '../../ui/icon.tsx';
import { KeyPair } from '../../ui/key-pair.tsx';

/** A session without messages: how to start. */
export function EmptySession(): ReactNode {
  const { store, agentName, projectDir, projectId } = useSession();
  const worktreeId = useWorktreeId();
  const { api, panels } = useWorkbench();
  const hasGit = useDirectory().projects.find((project) => project.projectId === projectId)?.branch !== undefined;
  const [files, setFiles] = useState<readonly string[]>([]);
  useEffect(() => {
    let isWanted = true;
    const sought = { q: '', limit: 50, ...(worktreeId !== undefined && { worktreeId }) };
    void api.project.files(projectId, sought).then((found) => {
      if (isWanted && found.ok) setFiles(found.value.files?.map(({ path }) => path) ?? []);
    });
    return () => {
      isWanted = false;
    };
  }, [api, projectId, worktreeId]);
  return (
    <div className="timeline-begin">
      <h2>{`What should ${agentName} do in ${splitPath(projectDir).prefix}?`}</h2>
      <p>It asks before edits and commands.</p>
      <ul className="timeline-prompts" aria-label="Suggestions">
        {suggestedPrompts(files, hasGit).map((text) => (
          <li key={text}>
            <button
              type="button"
              className="timeline-prompt"
              onClick={() => panels.insert.set({ sessionId: store.sessionId, text })}
            >
              {text}
              <Icon name="compose" size={14} />
            </button>
          </li>
        ))}
      </ul>
      <p className="timeline-marks">
        <KeyPair keys="@" isTyped>
          add a file
        </KeyPair>
        <KeyPair keys="/" isTyped>
          run a command
        </KeyPair>
      </p>
    </div>
  );
}

const testFiles =
  /^(package\.json|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json|Makefile)$/;

/** Three first messages that suit a project, by the files in its folder. */
export function suggestedPrompts(files: readonly string[], hasGit: boolean): readonly string[] {
  const names = files.map((path) => path.split('/').at(-1) ?? '');
  const readme = files.find((path) => /^readme(\.\w+)?$/i.test(path));
  const fitting = [
    readme === undefined
      ? 'Explain how this project is organised.'
      : `Read @${readme} and the code, and explain how this project works.`,
    ...(names.some((name) => testFiles.test(name)) ? ['Run the tests and fix what fails.'] : []),
    ...(hasGit ? ['Review the uncommitted changes and point out problems.'] : []),
    'Suggest three small improvements. Change nothing yet.',
    'Find TODO comments and list what they are about.',
  ];
  return fitting.slice(0, 3);
}
