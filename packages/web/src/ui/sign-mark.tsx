import type { ReactNode } from 'react';
import { signDetails, signShapes, signWords, workingRing, type SignName } from './sign.ts';
import './sign-mark.css';

/** The sign of a session, the same shape and colour in sidebar, tab and favicon. An idle session has none. */
export function SignMark({ sign }: { readonly sign: SignName }): ReactNode {
  if (sign === 'idle') return null;
  return (
    <span className={`sign sign-${sign}`} role="img" aria-label={signWords[sign]} title={signWords[sign]}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        {sign === 'working' && <path d={workingRing} fill="currentColor" opacity="0.25" />}
        <path d={signShapes[sign]} fill="currentColor" />
        {signDetails[sign] !== undefined && <path d={signDetails[sign]} className="sign-detail" />}
      </svg>
    </span>
  );
}
