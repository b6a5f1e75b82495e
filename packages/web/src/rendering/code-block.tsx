import type { ReactNode } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';

/** Code as it is, with its language and a way to copy it. */
export function CodeBlock({ code, language }: { readonly code: string; readonly language: string }): ReactNode {
  return (
    <figure className="code-block">
      <figcaption className="code-block-head">
        <span>{language}</span>
        <CopyButton text={() => code} label="Copy code" />
      </figcaption>
      {/* Wide code scrolls by itself, so it has to be reachable by keyboard. */}
      <pre dir="ltr" tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
