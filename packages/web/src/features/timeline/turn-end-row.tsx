import type { ReactNode } from 'react';
import type { TurnEndRow as TurnEndRowShape } from '@liminal/domain/timeline/row';
import type { TurnSummary } from '@liminal/domain/timeline/turn-summary';
import { shortPath } from '../../rendering/short-path.ts';
import { useSession, useUnfolded } from '../../state/use-session.ts';
import { useWorkbench } from '../../state/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { formatCost, formatCount, formatDuration, plural } from '../../ui/format.ts';
import { adviceFor } from './failure-advice.ts';

/** The end of a turn in one line; a failure says what happened, what was kept and what to do. */
export function TurnEndRow({ row }: { readonly row: TurnEndRowShape }): ReactNode {
  const { summary } = row;
  return (
    <>
      {summary.error !== undefined && <Failure turnId={row.turnId} error={summary.error} />}
      <SummaryLine row={row} />
    </>
  );
}

function SummaryLine({ row }: { readonly row: TurnEndRowShape }): ReactNode {
  const { projectDir } = useSession();
  const [unfolded, setUnfolded] = useUnfolded(row.key);
  const { summary } = row;
  const rest = plainParts(summary);
  return (
    <div className="turn-end">
      <p className="turn-end-line">
        {summary.files.length > 0 && (
          <button
            type="button"
            className="turn-end-files"
            aria-expanded={unfolded}
            onClick={() => setUnfolded(!unfolded)}
          >
            {`${plural(summary.files.length, 'file')} changed `}
            <span className="diff-added">+{summary.added}</span>{' '}
            <span className="diff-removed">−{summary.removed}</span>
          </button>
        )}
        {summary.files.length > 0 && rest.length > 0 && ' · '}
        {rest.join(' · ')}
      </p>
      {unfolded && (
        <ul className="turn-end-list">
          {summary.files.map((file) => (
            <li key={file.path}>
              <code>{shortPath(file.path, projectDir)}</code> <span className="diff-added">+{file.added}</span>{' '}
              <span className="diff-removed">−{file.removed}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function plainParts(summary: TurnSummary): string[] {
  const words = { completed: 'Done', cancelled: 'Stopped', failed: '' }[summary.state];
  const isPlain = summary.files.length === 0 && summary.commands === 0;
  return [
    summary.state === 'completed' && !isPlain ? '' : words,
    summary.commands > 0 ? plural(summary.commands, 'command') : '',
    summary.durationMs === undefined ? '' : formatDuration(summary.durationMs),
    summary.tokens === undefined ? '' : `${formatCount(summary.tokens)} tokens`,
    summary.costUsd === undefined ? '' : formatCost(summary.costUsd),
  ].filter((part) => part !== '');
}

type FailureProps = { readonly turnId: string; readonly error: { readonly code: string; readonly message: string } };

function Failure({ turnId, error }: FailureProps): ReactNode {
  const { store } = useSession();
  const { outgoing } = useWorkbench();
  const said = store.item(`${turnId}:0:0`);
  return (
    <div className="failure" role="group" aria-label="The turn failed">
      <p className="failure-title">{adviceFor(error.code).title}</p>
      <p className="failure-message" dir="auto">
        {error.message}
      </p>
      <p>{adviceFor(error.code).advice}</p>
      {said?.type === 'message' && said.content !== '' && (
        <Button onClick={() => outgoing.send(store.sessionId, said.content)}>Send the message again</Button>
      )}
    </div>
  );
}
