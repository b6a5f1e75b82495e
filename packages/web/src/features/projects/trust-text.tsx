import type { ReactNode } from 'react';
import type { Project } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';

/** What trusting a folder allows, in the words a person decides by. */
export function TrustWords({ project }: { readonly project: Project }): ReactNode {
  return (
    <>
      <p>
        <code>{showHidden(project.dir)}</code>
      </p>
      <p>If you trust this folder, agents working in it also use what the folder itself brings along:</p>
      <ul className="trust-list">
        <li>its own settings for agents, which can allow commands without asking you</li>
        <li>hooks, which are commands that run by themselves</li>
        <li>tools and servers it configures</li>
      </ul>
      <p>
        Until then all of this is ignored; agents still read and change files and ask you as usual. Trust a folder only
        if you know where it comes from.
      </p>
    </>
  );
}
