import type { ReactNode } from 'react';
import type { PermissionRequest } from '@liminal/contracts';
import { fileHunks, groupByFile } from '@liminal/domain/diff/file-hunks';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useSession } from '../../state/sessions/use-session.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { requestTitle } from './request-title.ts';

type RequestHeadProps = {
  readonly request: PermissionRequest;
  readonly titleId: string;
  /** How many requests are waiting, including this one. */
  readonly count: number;
};

/** The first row of the card: what will happen, to how many lines, and who asks. */
export function RequestHead({ request, titleId, count }: RequestHeadProps): ReactNode {
  const { agentName, projectDir } = useSession();
  const { text, code } = requestTitle(request, projectDir);
  const end = text.endsWith('?') || request.kind !== 'tool' || isOwnTitle(text, request) ? '' : '?';
  return (
    <header className="permission-head">
      <StatusBadge status="needs-you" />
      <h2 id={titleId} dir="auto">
        {showHidden(text)}
        {code !== '' && (
          <>
            {' '}
            <code>{showHidden(code)}</code>
          </>
        )}
        {end}
      </h2>
      {request.kind === 'tool' && <Counts request={request} />}
      {count > 1 && <span className="permission-count">{`1 of ${count}`}</span>}
      <span className="permission-agent">{agentName}</span>
    </header>
  );
}

/** The agent's own title is shown unchanged. */
const isOwnTitle = (text: string, { title }: PermissionRequest): boolean => text === title;

/** The changed lines of a single file; several files each show their own. */
function Counts({ request: { diffs = [] } }: { readonly request: PermissionRequest }): ReactNode {
  const [file, ...others] = groupByFile(diffs);
  if (file === undefined || others.length > 0) return null;
  const { added, removed } = fileHunks(file);
  return (
    <span className="permission-lines">
      <span className="diff-added">+{added}</span> <span className="diff-removed">−{removed}</span>
    </span>
  );
}
