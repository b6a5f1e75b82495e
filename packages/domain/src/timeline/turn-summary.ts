import type { ToolCallUpsert, TurnChanges, TurnTerminal, UpsertObject, Usage } from '@liminal/contracts';
import { lineChange } from '../diff/line-change.ts';

/** The one-line summary at the end of a turn. */
export type TurnSummary = {
  readonly state: 'completed' | 'cancelled' | 'failed';
  readonly files: readonly FileChange[];
  readonly added: number;
  readonly removed: number;
  /** What really changed in the folder, if it was recorded, including changes by commands and others. */
  readonly changes?: TurnChanges;
  readonly commands: number;
  /** The calls that ran the commands and changed the files, for links from the summary. */
  readonly commandIds: readonly string[];
  readonly editIds: readonly string[];
  readonly durationMs?: number;
  /** Input and output tokens; cache reads are in `usage` only. */
  readonly tokens?: number;
  readonly usage?: Usage;
  readonly costUsd?: number;
  readonly error?: { readonly code: string; readonly message: string };
};

export type FileChange = { readonly path: string; readonly added: number; readonly removed: number };

/** The summary of a turn that has ended. */
export function summarizeTurn(ended: TurnTerminal, items: readonly UpsertObject[]): TurnSummary {
  const calls = items.filter((item) => item.type === 'tool_call').filter((call) => !isRefused(call, true));
  const edits = calls.filter(hasChanged);
  const files = changedFiles(edits);
  const commandIds = calls.filter((call) => call.toolKind === 'execute').map((call) => call.itemId);
  const { usage, costUsd, durationMs, changes } = ended;
  return {
    state: ended.type === 'turn_error' ? 'failed' : ended.status,
    files,
    added: sum(files.map((file) => file.added)),
    removed: sum(files.map((file) => file.removed)),
    commands: commandIds.length,
    commandIds,
    editIds: edits.map((call) => call.itemId),
    ...(changes && { changes }),
    ...(durationMs !== undefined && { durationMs }),
    ...(usage && { usage, tokens: usage.inputTokens + usage.outputTokens }),
    ...(costUsd !== undefined && { costUsd }),
    ...(ended.type === 'turn_error' && { error: { code: ended.errorCode, message: ended.errorMessage } }),
  };
}

/** Only completed edits: a call that failed or was stopped has changed nothing. */
const hasChanged = (call: ToolCallUpsert): boolean =>
  call.status === 'complete' && call.toolOutputIsError !== true && (call.diffs?.length ?? 0) > 0;

function changedFiles(calls: readonly ToolCallUpsert[]): FileChange[] {
  const files = new Map<string, FileChange>();
  for (const call of calls) {
    for (const diff of call.diffs ?? []) {
      const before = files.get(diff.path);
      const { added, removed } = lineChange(diff);
      files.set(diff.path, {
        path: diff.path,
        added: (before?.added ?? 0) + added,
        removed: (before?.removed ?? 0) + removed,
      });
    }
  }
  return [...files.values()];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/**
 * What agents write as the result of a refused call. Needed for sessions that ran in a terminal: only the agent's own
 * record shows the refusal.
 */
const refusalPatterns = [
  /^Refused\.$/,
  /^The user doesn't want to (proceed with this tool use|take this action)/,
  /^(Error: )?(Permission|Tool use|Request) (was )?(denied|rejected|refused)( by (the )?(user|person))?\b/i,
  /^User (rejected|denied|refused|declined)\b/i,
];

/** Whether a call didn't run because the user refused it. */
export function isRefused(call: ToolCallUpsert, turnEnded: boolean): boolean {
  const hasFailed = call.status === 'error' || (call.status === 'complete' && call.toolOutputIsError === true);
  const isHanging = call.status !== 'complete' && turnEnded;
  if (call.refused === true) return hasFailed || isHanging;
  return hasFailed && refusalPatterns.some((pattern) => pattern.test(call.toolOutput ?? ''));
}
