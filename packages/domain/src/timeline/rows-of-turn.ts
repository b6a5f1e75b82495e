import type { ToolCallUpsert, TurnRecord, UpsertObject } from '@liminal/contracts';
import { isEnded, textOf } from '../items/item-text.ts';
import { isRefused, summarizeTurn } from './turn-summary.ts';
import type { GroupRow, ItemRow, Row, RowState, ToolRow } from './row.ts';

/** The rows of one turn, from its items in order. */
export function rowsOfTurn(turn: TurnRecord | undefined, items: readonly UpsertObject[]): Row[] {
  const turnEnded = turn?.ended !== undefined;
  const { top, children } = nest(items.filter((item) => isShown(item, turnEnded)));
  const shown = foldLookups(top.map((item) => rowOf(item, children, turnEnded)));
  const rows = turn?.started?.initiator === 'agent' && shown.length > 0 ? [startOf(turn.turnId), ...shown] : shown;
  if (!turn?.ended) return rows;
  const { turnId } = turn;
  const summary = summarizeTurn(turn.ended, items);
  return [...rows, { kind: 'turn-end', key: `${turnId}:end`, turnId, summary }];
}

const startOf = (turnId: string): Row => ({ kind: 'turn-start', key: `${turnId}:start`, turnId });

/** Whether this change of an item may change the rows of its turn. */
export function reshapes(before: UpsertObject, after: UpsertObject): boolean {
  return (
    isEnded(before) !== isEnded(after) ||
    before.errorCode !== after.errorCode ||
    before.parentCallId !== after.parentCallId ||
    (textOf(before) === '') !== (textOf(after) === '') ||
    (after.type === 'tool_call' && (before.type !== 'tool_call' || callReshapes(before, after)))
  );
}

function callReshapes(before: ToolCallUpsert, after: ToolCallUpsert): boolean {
  return (
    before.callId !== after.callId ||
    before.toolKind !== after.toolKind ||
    before.toolOutputIsError !== after.toolOutputIsError ||
    before.refused !== after.refused ||
    before.diffs !== after.diffs
  );
}

/** Hidden: items that a retry replaced (decision 4), the agent's start-up line, and texts that ended empty. */
function isShown(item: UpsertObject, turnEnded: boolean): boolean {
  if (item.errorCode === 'SUPERSEDED' || isStartLine(item)) return false;
  if (item.type !== 'message' && item.type !== 'thinking') return true;
  const hasAttachments = item.type === 'message' && (item.attachments?.length ?? 0) > 0;
  return item.content !== '' || hasAttachments || !(turnEnded || isEnded(item));
}

/** Printed at every start of the agent's process; the page shows model and folder anyway. */
const isStartLine = (item: UpsertObject): boolean =>
  item.type === 'message' && item.origin === 'system' && /^Claude Code\b[^\n]* is ready: model /.test(item.content);

type Children = ReadonlyMap<string, readonly UpsertObject[]>;

/**
 * A subagent's items are shown under their call. Only an earlier call counts, so nothing can be its own parent; items
 * of a call in another turn are shown separately.
 */
function nest(items: readonly UpsertObject[]): { top: UpsertObject[]; children: Children } {
  const top: UpsertObject[] = [];
  const children = new Map<string, UpsertObject[]>();
  for (const item of items) {
    const siblings = item.parentCallId === undefined ? undefined : children.get(item.parentCallId);
    (siblings ?? top).push(item);
    if (item.type === 'tool_call' && !children.has(item.callId)) children.set(item.callId, []);
  }
  return { top, children };
}

function rowOf(item: UpsertObject, children: Children, turnEnded: boolean): Row {
  const base = { key: item.itemId, itemId: item.itemId, state: stateOf(item, turnEnded) };
  if (item.type !== 'tool_call') return { kind: kindOf(item), ...base };
  const nested = (children.get(item.callId) ?? []).map((child) => rowOf(child, children, turnEnded));
  return { kind: 'tool', ...base, children: foldLookups(nested), ...lookupOf(item) };
}

function kindOf(item: Exclude<UpsertObject, ToolCallUpsert>): ItemRow['kind'] {
  switch (item.type) {
    case 'thinking':
    case 'plan':
      return item.type;
    case 'message':
      return item.origin === 'user' ? 'user' : item.origin === 'system' ? 'note' : 'text';
  }
}

function stateOf(item: UpsertObject, turnEnded: boolean): RowState {
  if (item.type === 'tool_call' && isRefused(item, turnEnded)) return 'refused';
  if (item.status === 'error') return 'failed';
  if (item.status === 'complete') return item.type === 'tool_call' && item.toolOutputIsError ? 'failed' : 'done';
  return turnEnded ? 'stopped' : 'open';
}

function lookupOf({ toolKind }: ToolCallUpsert): { lookup?: 'read' | 'search' } {
  return toolKind === 'read' || toolKind === 'search' ? { lookup: toolKind } : {};
}

/**
 * Neighbouring reads and searches become one row once they are done. One that runs, failed or has rows of its own stays
 * separate: important rows aren't hidden, and a row doesn't jump in and out of a group.
 */
function foldLookups(rows: readonly Row[]): Row[] {
  const folded: Row[] = [];
  let run: Lookup[] = [];
  const closeRun = (): void => {
    folded.push(...(run.length > 1 ? [groupOf(run)] : run));
    run = [];
  };
  for (const row of rows) {
    if (isLookup(row)) {
      run.push(row);
      continue;
    }
    closeRun();
    folded.push(row);
  }
  closeRun();
  return folded;
}

type Lookup = ToolRow & { readonly lookup: 'read' | 'search' };

function isLookup(row: Row): row is Lookup {
  return row.kind === 'tool' && row.lookup !== undefined && row.state === 'done' && row.children.length === 0;
}

function groupOf(run: readonly Lookup[]): GroupRow {
  const itemIds = run.map((row) => row.itemId);
  const reads = run.filter((row) => row.lookup === 'read').length;
  return { kind: 'group', key: `group:${itemIds[0]}`, itemIds, reads, searches: run.length - reads };
}
