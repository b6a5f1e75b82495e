import type { ReactNode } from 'react';
import type { LineCounts } from '@liminal/contracts';
import './change-counts.css';

/** Added and removed lines; nothing if no line changed. */
export function ChangeCounts({ counts }: { readonly counts: LineCounts | undefined }): ReactNode {
  if (counts === undefined || counts.added + counts.removed === 0) return null;
  return (
    <span className="change-counts">
      <span className="change-added">{`+${counts.added}`}</span>{' '}
      <span className="change-removed">{`−${counts.removed}`}</span>
    </span>
  );
}
