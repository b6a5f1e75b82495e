import { useState, type ReactNode } from 'react';
import type { FileChange, TurnSummary } from '@liminal/domain/timeline/turn-summary';
import { Diffs } from '../../rendering/diff/diffs.tsx';
import { shortPath } from '../../ui/folders/folder-path.ts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useSession } from '../../state/sessions/use-session.ts';
import { formatCost } from '../../ui/format.ts';
import { ToolRow } from './tools/tool-row.tsx';

/** The files a turn changed; each expands to its changes. */
export function ChangedFiles({ summary }: { readonly summary: TurnSummary }): ReactNode {
  return (
    <ul className="turn-details">
      {summary.files.map((file) => (
        <ChangedFile key={file.path} file={file} editIds={summary.editIds} />
      ))}
    </ul>
  );
}

type ChangedFileProps = { readonly file: FileChange; readonly editIds: readonly string[] };

function ChangedFile({ file, editIds }: ChangedFileProps): ReactNode {
  const { store, projectDir } = useSession();
  const [open, setOpen] = useState(false);
  const diffs = (): ReactNode =>
    editIds.flatMap((itemId) => {
      const item = store.item(itemId);
      const own = item?.type === 'tool_call' ? (item.diffs ?? []).filter((diff) => diff.path === file.path) : [];
      return own.length === 0 ? [] : [<Diffs key={itemId} diffs={own} projectDir={projectDir} isNamed />];
    });
  return (
    <li>
      <button type="button" className="turn-end-part" aria-expanded={open} onClick={() => setOpen(!open)}>
        <code>{showHidden(shortPath(file.path, projectDir))}</code> <span className="diff-added">+{file.added}</span>{' '}
        <span className="diff-removed">−{file.removed}</span>
      </button>
      {open && <div className="turn-diffs">{diffs()}</div>}
    </li>
  );
}

type CommandsRunProps = { readonly summary: TurnSummary; readonly turnKey: string };

/** The commands a turn ran, each with its outcome and output. */
export function CommandsRun({ summary, turnKey }: CommandsRunProps): ReactNode {
  const { store } = useSession();
  return (
    <div className="turn-details">
      {summary.commandIds.map((itemId) => {
        const item = store.item(itemId);
        const failed = item?.type === 'tool_call' && (item.status === 'error' || item.toolOutputIsError === true);
        const key = `${turnKey}:${itemId}`;
        return (
          <ToolRow key={key} row={{ kind: 'tool', key, itemId, state: failed ? 'failed' : 'done', children: [] }} />
        );
      })}
    </div>
  );
}

/** The usage of a turn, as the agent reported it. */
export function UsageDetails({ summary: { usage, costUsd } }: { readonly summary: TurnSummary }): ReactNode {
  const lines: [string, number | undefined][] = [
    ['Input', usage?.inputTokens],
    ['Cache read', usage?.cacheReadInputTokens],
    ['Cache write', usage?.cacheCreationInputTokens],
    ['Output', usage?.outputTokens],
  ];
  return (
    <dl className="turn-details turn-usage">
      {lines.map(([name, count]) =>
        count === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{count.toLocaleString('en')}</dd>
          </div>
        ),
      )}
      {costUsd !== undefined && (
        <div>
          <dt>Cost (reported by the agent)</dt>
          <dd>{formatCost(costUsd)}</dd>
        </div>
      )}
    </dl>
  );
}
