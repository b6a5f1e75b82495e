import { readFileSync, readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Fields = Readonly<Record<string, unknown>>;

/** One line of a Claude Code recording. The SDK's own messages stay unparsed: parsing them is under test. */
export type ClaudeLine = { readonly ms: number } & (
  | { readonly kind: 'send'; readonly uuid: string; readonly text: string }
  | { readonly kind: 'message'; readonly message: Fields & { readonly type: string } }
  | {
      readonly kind: 'permission-request';
      readonly toolName: string;
      readonly toolInput: Fields;
      readonly context: Fields;
    }
  | { readonly kind: 'permission-answer'; readonly answer: Fields }
  | { readonly kind: 'permission-aborted'; readonly toolUseID: string }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'stream-ended' }
  | { readonly kind: 'stream-threw'; readonly name: string; readonly text: string }
);

/** One line of a recording of ACP or of Codex's own protocol: a JSON-RPC message, or the end of the agent's process. */
export interface AcpLine {
  readonly ms: number;
  readonly dir: 'client->agent' | 'agent->client' | 'exit';
  readonly msg: Fields;
}

/** One row of a session's history, as the Agent SDK's `getSessionMessages` returns it. */
export interface HistoryRow extends Fields {
  readonly type: string;
  readonly uuid: string;
  readonly session_id: string;
  readonly message: unknown;
}

export type RecordingFolder = 'claude' | 'codex' | 'codex-app-server' | 'other-agents' | 'acp';

const root = fileURLToPath(new URL('../recordings', import.meta.url));

/** Reads a recording by its path in the recordings folder: `claude/text.jsonl`, `codex/01-text.jsonl`. */
export function readRecording(path: `claude/${string}`): readonly ClaudeLine[];
export function readRecording(
  path: `${'codex' | 'codex-app-server' | 'other-agents' | 'acp'}/${string}`,
): readonly AcpLine[];
export function readRecording(path: string): readonly (ClaudeLine | AcpLine)[] {
  return readLines(path, (line) => typeof line['ms'] === 'number') as unknown as readonly (ClaudeLine | AcpLine)[];
}

/** Reads the recorded history of a session: `claude/history-of-tool-allowed.jsonl`. */
export function readHistory(path: `claude/history-of-${string}`): readonly HistoryRow[] {
  return readLines(path, (line) => typeof line['uuid'] === 'string') as readonly HistoryRow[];
}

/** The recordings in a folder, as paths for `readRecording`, without histories. */
export function listRecordings<Folder extends RecordingFolder>(folder: Folder): `${Folder}/${string}`[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.jsonl') && !name.startsWith('history-of-'))
    .toSorted()
    .map((name) => `${folder}/${name}` as const);
}

// The lines are our own data, so one field identifies the kind of file. A wrong kind must be rejected.
function readLines(path: string, belongs: (line: Fields) => boolean): readonly Fields[] {
  const lines = readFileSync(isAbsolute(path) ? path : join(root, path), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((text, index) => {
    const line = JSON.parse(text) as Fields;
    if (!belongs(line)) throw new Error(`${path}:${index + 1} is not a line of this kind of recording`);
    return line;
  });
}
