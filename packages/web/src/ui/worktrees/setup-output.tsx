import { useEffect, useRef, type ReactNode } from 'react';
import type { Worktree } from '@liminal/contracts';
import './setup-output.css';

/** The output of a worktree's setup command: expanded while it runs and if it failed. */
export function SetupOutput({ worktree }: { readonly worktree: Pick<Worktree, 'state' | 'setup'> }): ReactNode {
  const { setup, state } = worktree;
  const output = useRef<HTMLPreElement>(null);
  const text = setup?.output.trim() ?? '';
  // Scrolls to the newest output.
  useEffect(() => {
    if (output.current !== null) output.current.scrollTop = output.current.scrollHeight;
  }, [text]);
  if (setup === undefined || (state !== 'setup' && state !== 'failed')) return null;
  return (
    <details className="worktree-setup" open>
      <summary>
        {setup.running ? 'Setup command is running: ' : 'Setup command: '}
        <code>{setup.command}</code>
      </summary>
      <pre ref={output} tabIndex={0}>
        {text === '' ? 'No output yet.' : text}
      </pre>
    </details>
  );
}
