import type { ReactNode } from 'react';
import type { ToolCallUpsert } from '@liminal/contracts';
import { lineChange } from '@liminal/domain/timeline/line-change';
import type { ToolRow as ToolRowShape } from '@liminal/domain/timeline/row';
import { useItem, useSession, useUnfolded } from '../../state/use-session.ts';
import { formatDuration } from '../../ui/format.ts';
import { describeTool } from './describe-tool.ts';
import { FoldLine } from './fold-line.tsx';
import { ToolDetails } from './tool-details.tsx';

/** One call: icon, verb, target, outcome, duration; its arguments, output and diffs on click; what it started below. */
export function ToolRow({ row, children }: { readonly row: ToolRowShape; readonly children?: ReactNode }): ReactNode {
  const { projectDir } = useSession();
  const item = useItem(row.itemId);
  const [unfolded, setUnfolded] = useUnfolded(row.key);
  if (item?.type !== 'tool_call') return null;
  const { kind, verb, target } = describeTool(item, projectDir);
  const waits = item.awaitingPermission === true && row.state === 'open';
  const tone = row.state === 'failed' ? { tone: 'failed' as const } : waits ? { tone: 'waiting' as const } : {};
  return (
    <>
      <FoldLine
        icon={kind}
        unfolded={unfolded}
        onToggle={setUnfolded}
        {...tone}
        details={() => <ToolDetails call={item} kind={kind} />}
      >
        <span className="fold-verb">{verb}</span>
        <span className={kind === 'other' ? 'fold-target' : 'fold-target fold-target-code'}>{target}</span>
        <Outcome call={item} row={row} waits={waits} />
      </FoldLine>
      {row.children.length > 0 && <div className="nested-rows">{children}</div>}
    </>
  );
}

type OutcomeProps = { readonly call: ToolCallUpsert; readonly row: ToolRowShape; readonly waits: boolean };

function Outcome({ call, row, waits }: OutcomeProps): ReactNode {
  const duration = call.durationMs !== undefined && call.durationMs >= 100 ? formatDuration(call.durationMs) : '';
  const words = waits ? 'asks you' : stateWords(call, row);
  return (
    <>
      {call.diffs !== undefined && call.diffs.length > 0 && <Changes call={call} />}
      {(words !== '' || duration !== '') && (
        <span className="fold-outcome">{[words, duration].filter((part) => part !== '').join(' · ')}</span>
      )}
    </>
  );
}

function stateWords(call: ToolCallUpsert, row: ToolRowShape): string {
  switch (row.state) {
    case 'open':
      return 'running';
    case 'done':
      return '';
    case 'stopped':
      return 'stopped';
    case 'failed': {
      const code = /\bexit(?:ed)?(?: with)?(?: code| status)?:? (\d{1,3})\b/i.exec(
        (call.toolOutput ?? '').slice(-400),
      )?.[1];
      return code === undefined ? 'failed' : `failed, exit ${code}`;
    }
  }
}

function Changes({ call }: { readonly call: ToolCallUpsert }): ReactNode {
  const changes = (call.diffs ?? []).map(lineChange);
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  return (
    <span className="line-counts">
      <span className="diff-added">+{added}</span> <span className="diff-removed">−{removed}</span>
    </span>
  );
}
