import type { ReactNode } from 'react';
import type { ToolCallUpsert, ToolKind } from '@liminal/contracts';
import { lineChange } from '@liminal/domain/diff/line-change';
import type { ToolRow as ToolRowShape, Row, ToolRow } from '@liminal/domain/timeline/row';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useItem, useSession, useExpanded } from '../../../state/sessions/use-session.ts';
import { formatDuration, plural } from '../../../ui/format.ts';
import { describeTool } from './describe-tool.ts';
import { CollapsibleLine, RunningFor } from '../collapsible-line.tsx';
import { ToolDetails } from './tool-details.tsx';

type ToolRowProps = { readonly row: ToolRowShape; readonly children?: ReactNode };

/** One call: icon, verb, target, outcome, duration; its arguments, output and diffs on click, and its subagent. */
export function ToolRow({ row, children }: ToolRowProps): ReactNode {
  const { projectDir } = useSession();
  const item = useItem(row.itemId);
  const [expanded, setExpanded] = useExpanded(row.key);
  if (item?.type !== 'tool_call') return null;
  const waits = item.awaitingPermission === true && row.state === 'open';
  const tense = row.state === 'done' ? 'done' : row.state === 'open' && !waits ? 'doing' : 'asked';
  const { kind, verb, target, isAgent, isNamed } = describeTool(item, projectDir, tense);
  const tone = row.state === 'failed' ? { tone: 'failed' as const } : waits ? { tone: 'waiting' as const } : {};
  return (
    <CollapsibleLine
      icon={isAgent ? 'agent' : (item.questions ?? []).length > 0 ? 'question' : kind}
      aside={durationOf(item, row, waits)}
      isRunning={row.state === 'open' && !waits}
      expanded={expanded}
      onToggle={setExpanded}
      {...tone}
      details={() => (
        <ToolDetails call={item} kind={kind} isAgent={isAgent}>
          {row.children.length > 0 && <div className="nested-rows">{children}</div>}
        </ToolDetails>
      )}
    >
      <span className="collapsible-verb">{verb}</span>
      <span className={lookOf(kind, isAgent)} title={showHidden(target)}>
        <bdi>{showHidden(target)}</bdi>
      </span>
      <Outcome call={item} row={row} waits={waits} isNamed={isNamed} />
    </CollapsibleLine>
  );
}

/** Paths are truncated at the start, everything else at the end. */
function lookOf(kind: ToolKind, isAgent: boolean): string {
  if (kind === 'other' || isAgent) return 'collapsible-target';
  const isPath = kind === 'read' || kind === 'edit' || kind === 'delete' || kind === 'move';
  return isPath
    ? 'collapsible-target collapsible-target-code collapsible-target-path'
    : 'collapsible-target collapsible-target-code';
}

type OutcomeProps = {
  readonly call: ToolCallUpsert;
  readonly row: ToolRowShape;
  readonly waits: boolean;
  readonly isNamed: boolean;
};

function Outcome({ call, row, waits, isNamed }: OutcomeProps): ReactNode {
  const isOpen = row.state === 'open' && !waits;
  const steps = row.children.length > 0 ? plural(stepsOf(row), 'step') : '';
  const answers = (call.questions ?? []).flatMap(({ answer }) =>
    answer === undefined ? [] : [showHidden(short(answer))],
  );
  // A verb such as "Running" is enough.
  const state = isOpen && !isNamed ? '' : describeState(call, row);
  const parts = [waits ? 'Needs approval' : state, ...answers, steps].filter((part) => part !== '');
  return (
    <>
      {call.diffs !== undefined && call.diffs.length > 0 && row.state !== 'refused' && <Changes call={call} />}
      {parts.length > 0 && <span className="collapsible-outcome">{parts.join(' · ')}</span>}
      {isOpen && row.children.length > 0 && <SubagentStep row={row} />}
    </>
  );
}

/** Its duration, or how long it has been running. */
function durationOf(call: ToolCallUpsert, row: ToolRowShape, waits: boolean): ReactNode {
  if (row.state === 'open') return waits ? '' : <RunningFor since={call.sourceTimestamp} />;
  // A refused call didn't run, so it has no duration.
  const durationMs = row.state === 'refused' ? 0 : (call.durationMs ?? 0);
  return durationMs >= 100 ? formatDuration(durationMs) : '';
}

const longestAnswer = 60;
const short = (text: string): string =>
  text.length > longestAnswer ? `${text.slice(0, longestAnswer).toWellFormed()}…` : text;

/** The number of a subagent's steps; every item of a group counts. */
const stepsOf = (row: ToolRowShape): number =>
  row.children.reduce((sum, child) => sum + (child.kind === 'group' ? child.itemIds.length : 1), 0);

function describeState(call: ToolCallUpsert, row: ToolRowShape): string {
  switch (row.state) {
    case 'open':
      return 'running';
    case 'done':
      return '';
    case 'stopped':
      return 'stopped';
    case 'refused':
      return 'refused';
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

const itemIdOf = (row: Row | undefined): string =>
  row === undefined || row.kind === 'turn-start' || row.kind === 'turn-end'
    ? ''
    : row.kind === 'group'
      ? (row.itemIds.at(-1) ?? '')
      : row.itemId;

/** A subagent's current step, on the line of its call. */
function SubagentStep({ row }: { readonly row: ToolRow }): ReactNode {
  const { projectDir } = useSession();
  const item = useItem(itemIdOf(row.children.at(-1)));
  if (item === undefined) return null;
  const text =
    item.type === 'tool_call'
      ? `${describeTool(item, projectDir, 'doing').verb} ${describeTool(item, projectDir).target}`
      : { message: 'writing', thinking: 'thinking', plan: 'planning' }[item.type];
  return <span className="collapsible-step">{showHidden(text)}</span>;
}
