import type { ReactNode } from 'react';
import type { TurnEndRow as TurnEndRowShape } from '@liminal/domain/timeline/row';
import type { TurnSummary } from '@liminal/domain/timeline/turn-summary';
import { useExpanded, useSession } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { formatCost, formatCount, formatDuration, plural } from '../../ui/format.ts';
import { Failure } from './failure.tsx';
import { ChangedFiles, CommandsRun, UsageDetails } from './turn-details.tsx';
import './turn-end.css';

type Part = 'files' | 'commands' | 'usage';

/** The end of a turn on one line, each part of which expands; a failure says what happened and what to do. */
export function TurnEndRow({ row }: { readonly row: TurnEndRowShape }): ReactNode {
  const { summary } = row;
  return (
    <>
      {summary.error !== undefined && <Failure turnId={row.turnId} error={summary.error} />}
      <SummaryLine summary={summary} turnKey={row.key} turnId={row.turnId} />
    </>
  );
}

/** At most one part is expanded, and stays so when scrolled out of view. */
function useOpenPart(key: string): [Part | null, (part: Part | null) => void] {
  const parts = {
    files: useExpanded(`${key}:files`),
    commands: useExpanded(`${key}:commands`),
    usage: useExpanded(`${key}:usage`),
  };
  const names = Object.keys(parts) as Part[];
  return [
    names.find((name) => parts[name][0]) ?? null,
    (part) => {
      for (const name of names) if (parts[name][0] !== (name === part)) parts[name][1](name === part);
    },
  ];
}

type SummaryLineProps = { readonly summary: TurnSummary; readonly turnKey: string; readonly turnId: string };

function SummaryLine({ summary, turnKey, turnId }: SummaryLineProps): ReactNode {
  const { reviews } = useWorkbench();
  const { store } = useSession();
  const [open, setOpen] = useOpenPart(turnKey);
  const { state, files, changes, commands, durationMs, tokens, costUsd, usage } = summary;
  const part = (name: Part, label: ReactNode): ReactNode => (
    <button
      type="button"
      className="turn-end-part"
      aria-expanded={open === name}
      onClick={() => setOpen(open === name ? null : name)}
    >
      {label}
    </button>
  );
  // If the line is too narrow, it shows the cost instead of the tokens.
  const cost =
    tokens === undefined || costUsd === undefined ? (
      `${tokens === undefined ? '' : `${formatCount(tokens)} tokens`}${costUsd === undefined ? '' : formatCost(costUsd)}`
    ) : (
      <>
        <span className="turn-end-more">{`${formatCount(tokens)} tokens · `}</span>
        {formatCost(costUsd)}
      </>
    );
  // Git's view is more complete than the calls, unless all changes are outside of git's view.
  const real = changes !== undefined && changes.files > 0 ? changes : null;
  const count = real?.files ?? files.length;
  const changed = (
    <>
      {plural(count, 'file')}
      <span className="turn-end-more"> changed</span>{' '}
      <span className="diff-added">+{real?.additions ?? summary.added}</span>{' '}
      <span className="diff-removed">−{real?.deletions ?? summary.removed}</span>
    </>
  );
  const review = (): void => reviews.open(store.sessionId, { scope: 'turn', turnId });
  const commandsPart = commands > 0 ? part('commands', plural(commands, 'command')) : '';
  const parts = [
    state === 'cancelled' ? 'Stopped' : '',
    state === 'completed' && count === 0 && commands === 0 ? 'Done' : '',
    files.length > 0 ? part('files', changed) : '',
    files.length === 0 && count > 0 ? (
      <button key="review" type="button" className="turn-end-part" onClick={review}>
        {changed}
      </button>
    ) : (
      ''
    ),
    commandsPart,
    durationMs === undefined ? '' : formatDuration(durationMs),
    cost === '' ? '' : usage === undefined ? cost : part('usage', cost),
  ].filter((each) => each !== '');
  if (parts.length === 0) return null;
  return (
    <div className="turn-end">
      <p className="turn-end-line">
        {parts.map((each, index) => (
          <span key={index} className={index > 0 && each === commandsPart ? 'turn-end-more' : ''}>
            {index > 0 && ' · '}
            {each}
          </span>
        ))}
      </p>
      {count > 0 && (
        <Button look="quiet" className="turn-end-review" title="Review what this turn changed" onClick={review}>
          Review
        </Button>
      )}
      {open === 'files' && <ChangedFiles summary={summary} />}
      {open === 'commands' && <CommandsRun summary={summary} turnKey={turnKey} />}
      {open === 'usage' && <UsageDetails summary={summary} />}
    </div>
  );
}
