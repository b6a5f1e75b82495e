import type { ChangeCount, RunningWork, ToolCallUpsert, ToolKind, UpsertObject } from '@liminal/contracts';
import { lineChange } from '../diff/line-change.ts';
import type { Fact } from './fact.ts';

/** What lists show about the running turn. Kept in memory only: no turn survives a restart. */
export type TurnWork = {
  readonly since: string | null;
  readonly doing: { readonly itemId: string; readonly text: string } | null;
  /** Lines changed by each finished edit, by path. */
  readonly edits: ReadonlyMap<string, readonly FileLines[]>;
};
type FileLines = { readonly path: string; readonly added: number; readonly removed: number };

export const noWork: TurnWork = { since: null, doing: null, edits: new Map() };

export function workAfterFact(work: TurnWork, fact: Fact): TurnWork {
  if (fact.type === 'message-handed' || fact.type === 'turn-started')
    return work.since === null ? { ...noWork, since: fact.at } : work;
  if (fact.type === 'turn-ended' || fact.type === 'session-killed' || fact.type === 'process-closed') return noWork;
  return work;
}

export function workAfterItem(work: TurnWork, item: UpsertObject): TurnWork {
  if (work.since === null || item.type !== 'tool_call') return work;
  if (item.status === 'create' || item.status === 'update') {
    const text = doingOf(item);
    if (text === '' || (work.doing?.itemId === item.itemId && work.doing.text === text)) return work;
    return { ...work, doing: { itemId: item.itemId, text } };
  }
  const isChange = item.status === 'complete' && item.toolOutputIsError !== true && item.refused !== true;
  if (!isChange || item.diffs === undefined || item.diffs.length === 0) return work;
  const lines = item.diffs.map((diff) => ({ path: diff.path, ...lineChange(diff) }));
  return { ...work, edits: new Map(work.edits).set(item.itemId, lines) };
}

export const runningWorkOf = ({ since, doing }: TurnWork): RunningWork | undefined =>
  since === null ? undefined : { since, ...(doing && { doing: doing.text }) };

/** What the turn's edits have changed so far; undefined if it edited no file. */
export function changeCountOf({ edits }: TurnWork): ChangeCount | undefined {
  if (edits.size === 0) return undefined;
  const all = [...edits.values()].flat();
  const sum = (part: 'added' | 'removed'): number => all.reduce((total, lines) => total + lines[part], 0);
  return { files: new Set(all.map(({ path }) => path)).size, added: sum('added'), removed: sum('removed') };
}

const verbs: Record<ToolKind, string> = {
  read: 'Reading',
  edit: 'Editing',
  delete: 'Deleting',
  move: 'Moving',
  search: 'Searching for',
  execute: 'Running',
  think: '',
  fetch: 'Fetching',
  other: '',
};
const longest = 120;
const targets: readonly string[] = ['command', 'file_path', 'path', 'notebook_path', 'pattern', 'query', 'url'];

/** A short description of a tool call, such as "Running npm test"; empty if nothing is known yet. */
function doingOf({ toolArguments, toolKind = 'other', toolName, title = '', locations }: ToolCallUpsert): string {
  const named = targets.map((name) => toolArguments[name]).find((value) => typeof value === 'string' && value !== '');
  const target = typeof named === 'string' ? named : (locations?.[0]?.path ?? '');
  const verb = verbs[toolKind];
  const text = verb !== '' && target !== '' ? `${verb} ${target}` : title === '' ? toolName : title;
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
