import { useState, type ReactNode } from 'react';
import type { Candidate, Comparison, KeepBody } from '@liminal/contracts';
import { Button } from '../../ui/button.tsx';
import { ChangeCounts } from '../../ui/change-counts.tsx';
import { plural } from '../../ui/format.ts';
import { checkText, costText, stateText, timeText, tokensText } from './describe-candidate.ts';

type CompareTableProps = {
  readonly comparison: Comparison;
  readonly names: ReadonlyMap<string, string>;
  readonly onKeep: (body: KeepBody) => void;
  readonly onCheck: (candidateId: string) => void;
};

type How = NonNullable<KeepBody['merge']> | 'branch';

/** The results of each candidate, and the choice between them. */
export function CompareTable({ comparison, names, onKeep, onCheck }: CompareTableProps): ReactNode {
  const { candidates, kept, base } = comparison;
  const [how, setHow] = useState<How>('branch');
  const keep = (candidateId: string): void => onKeep({ candidateId, ...(how !== 'branch' && { merge: how }) });
  return (
    <div className="compare-results">
      <label className="compare-how">
        <span aria-hidden="true">Keep by</span>
        <select
          className="picker"
          aria-label="Keep by"
          value={how}
          disabled={kept !== undefined}
          onChange={(event) => setHow(howOf(event.target.value))}
        >
          <option value="branch">leaving it on its branch</option>
          <option value="merge">{`merging it into ${base}`}</option>
          <option value="squash">{`squashing it into ${base}`}</option>
          <option value="rebase">{`rebasing it onto ${base}`}</option>
        </select>
      </label>
      <div className="compare-scroll" tabIndex={0} role="group" aria-label="Results">
        <table>
          <thead>
            <tr>
              {['Candidate', 'State', 'Changes', 'Files', 'Time', 'Tokens', 'Cost', 'Check'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {candidates.map((candidate) => {
              const { candidateId, changes, check } = candidate;
              const name = names.get(candidateId) ?? '';
              return (
                <tr key={candidateId}>
                  <th scope="row">{name}</th>
                  <td>{kept?.candidateId === candidateId ? `${stateText(candidate)}, kept` : stateText(candidate)}</td>
                  <td>{countsOf(candidate)}</td>
                  <td>{changes === undefined ? '–' : plural(changes.files, 'file')}</td>
                  <td>{timeText(candidate)}</td>
                  <td>{tokensText(candidate)}</td>
                  <td>{costText(candidate)}</td>
                  <td>
                    {check === undefined || check.state === 'running' ? (
                      checkText(candidate)
                    ) : (
                      <details>
                        <summary>{checkText(candidate)}</summary>
                        <pre className="compare-output">{`$ ${check.command}\n${check.output}`}</pre>
                        <Button
                          look="quiet"
                          aria-label={`Run check again: ${name}`}
                          onClick={() => onCheck(candidateId)}
                        >
                          Run again
                        </Button>
                      </details>
                    )}
                  </td>
                  <td>
                    <Button
                      aria-label={`Keep ${name}`}
                      disabled={kept !== undefined || !isEnded(candidate)}
                      onClick={() => keep(candidateId)}
                    >
                      Keep
                    </Button>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const isEnded = ({ state, sessionId }: Candidate): boolean =>
  sessionId !== undefined && (state === 'done' || state === 'stopped' || state === 'failed');

const howOf = (value: string): How =>
  value === 'merge' || value === 'squash' || value === 'rebase' ? value : 'branch';

function countsOf({ changes }: Candidate): ReactNode {
  if (changes === undefined) return '–';
  const { additions: added, deletions: removed } = changes;
  return added + removed === 0 ? 'None' : <ChangeCounts counts={{ added, removed }} />;
}
