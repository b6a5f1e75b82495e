import { useState, type ReactNode } from 'react';
import type { Comparison } from '@liminal/contracts';
import type { ApiResult } from '@liminal/client/call-routes';
import { useCell, useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { AgentIcon } from '../../ui/agent-icon.tsx';
import { Button } from '../../ui/button.tsx';
import { LoadFailed, LoadingRows } from '../../ui/list-state.tsx';
import { CompareFiles } from './compare-files.tsx';
import { CompareTable } from './compare-table.tsx';
import { candidateNames, stateText } from './describe-candidate.ts';
import { KeptLine } from './kept-line.tsx';
import './compare.css';

type CompareViewProps = { readonly column: (sessionId: string) => ReactNode };

/** Several agents on one task: each live in a column, then their results in a table, and the files side by side. */
export default function CompareView({ column }: CompareViewProps): ReactNode {
  const { comparing } = useWorkbench();
  const shown = useCell(comparing.shown);
  const comparison = shown?.comparison ?? null;
  return (
    <section className="compare" aria-label="Comparison">
      {shown?.failure && (
        <LoadFailed title="Couldn't read the comparison." message={shown.failure.message} onRetry={comparing.refresh} />
      )}
      {comparison === null ? (
        shown?.failure ? (
          <Button onClick={comparing.close}>Close</Button>
        ) : (
          <LoadingRows label="Loading comparison…" rows={6} />
        )
      ) : (
        <CompareBody key={comparison.compareId} comparison={comparison} column={column} />
      )}
    </section>
  );
}

function CompareBody({ comparison, column }: { readonly comparison: Comparison } & CompareViewProps): ReactNode {
  const { api, comparing, reviews, tabs } = useWorkbench();
  const { providers } = useDirectory();
  const [failure, setFailure] = useState('');
  const { compareId, candidates, content, base } = comparison;
  const names = candidateNames(candidates, providers);
  const act = async (task: Promise<ApiResult<unknown>>): Promise<void> => {
    const reply = await task;
    setFailure(reply.ok ? '' : reply.failure.message);
    comparing.refresh();
  };
  return (
    <>
      <header className="compare-head">
        <h1>{content}</h1>
        <p className="muted">{`${candidates.length} candidates from ${base}`}</p>
        <Button look="quiet" onClick={comparing.close}>
          Close
        </Button>
      </header>
      <KeptLine comparison={comparison} names={names} onUndo={() => void act(api.compare.undoKeep(compareId))} />
      {failure !== '' && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
      <div className="compare-columns">
        {candidates.map((candidate) => {
          const { candidateId, sessionId, state, error } = candidate;
          const name = names.get(candidateId) ?? '';
          return (
            <section key={candidateId} className="compare-column" aria-label={name} tabIndex={0}>
              <h2>
                <AgentIcon agent={candidate.cliType} size={14} />
                <span className="compare-name">{name}</span>
                <span className={`compare-state compare-state-${state}`}>{stateText(candidate)}</span>
              </h2>
              {error !== undefined && <p className="field-error">{error}</p>}
              {candidate.canRetry && (
                <Button
                  aria-label={`Retry ${name}`}
                  onClick={() => void act(api.compare.retry(compareId, { candidateId }))}
                >
                  Retry
                </Button>
              )}
              {sessionId === undefined ? null : <div className="compare-live">{column(sessionId)}</div>}
              {sessionId !== undefined && (
                <span className="compare-open">
                  <Button look="quiet" aria-label={`Open session of ${name}`} onClick={() => tabs.show(sessionId)}>
                    Open session
                  </Button>
                  <Button
                    look="quiet"
                    aria-label={`Review changes of ${name}`}
                    onClick={() => {
                      tabs.show(sessionId);
                      reviews.open(sessionId, { scope: 'base' });
                    }}
                  >
                    Review changes
                  </Button>
                </span>
              )}
            </section>
          );
        })}
      </div>
      <CompareTable
        comparison={comparison}
        names={names}
        onKeep={(body) => void act(api.compare.keep(compareId, body))}
        onCheck={(candidateId) => void act(api.compare.check(compareId, { candidateId }))}
      />
      <CompareFiles comparison={comparison} names={names} />
    </>
  );
}
