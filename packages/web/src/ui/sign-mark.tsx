import type { ReactNode } from 'react';
import { signShapes, signWords, type SignName } from './sign.ts';
import './sign-mark.css';

/** The sign of a session, the same shape and colour in sidebar, tab and favicon. An idle session has none. */
export function SignMark({ sign }: { readonly sign: SignName }): ReactNode {
  if (sign === 'idle') return null;
  return (
    <span className={`sign sign-${sign}`} role="img" aria-label={signWords[sign]} title={signWords[sign]}>
      <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
        <path d={signShapes[sign]} fill="currentColor" />
        {sign === 'needs-you' && <path d="M7.1 4.2h1.8v4.6H7.1zM7.1 10h1.8v1.8H7.1z" fill="var(--bg)" />}
      </svg>
    </span>
  );
}
