import type { ReactNode } from 'react';
import type { Project } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';

type TrustTextProps = {
  readonly project: Project;
  /** The name of an agent that can't start in an untrusted folder. */
  readonly blocked?: string;
};

/** Explains what trusting a folder allows. */
export function TrustText({ project, blocked }: TrustTextProps): ReactNode {
  return (
    <>
      <p>
        <code>{showHidden(project.dir)}</code>
      </p>
      <p>If you trust this folder, agents working in it also use the folder's own configuration:</p>
      <ul className="trust-list">
        <li>agent settings, which can allow commands without asking you</li>
        <li>hooks, which run commands automatically</li>
        <li>tools and MCP servers</li>
      </ul>
      <p>
        {blocked === undefined
          ? 'Until then, agents ignore it. They still read and change files, and ask you as usual.'
          : `${blocked} can't run here until you trust this folder.`}{' '}
        Trust a folder only if you know where it comes from.
      </p>
    </>
  );
}
