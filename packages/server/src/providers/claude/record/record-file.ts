import { open, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { asList, asOptionalRecord, asRecord, asText } from '../../kit/read-json.ts';
import { type RecordRow, meaningOf } from './record-rows.ts';
import { isUuid } from '../translate/turn-uuid.ts';

/** Where Claude Code keeps its sessions. */
export const projectsFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  join(env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.claude'), 'projects');

/** The file of a session, in any project's folder; undefined if there is none. */
export async function findRecord(projects: string, sessionId: string): Promise<string | undefined> {
  // Ids are external input and become part of a path.
  if (!isUuid(sessionId)) return undefined;
  const folders = await readdir(projects).catch(() => []);
  const paths = folders.map((folder) => join(projects, folder, `${sessionId}.jsonl`));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path).catch(() => undefined))?.size ?? 0));
  return paths[sizes.indexOf(Math.max(1, ...sizes))];
}

export type RecordPage = {
  /** The current conversation, oldest first. */
  readonly rows: readonly RecordRow[];
  /** Whether there are older turns. */
  readonly hasMore: boolean;
};

/**
 * Reads the newest turns of a record, from its end. The SDK's own reader takes more than a second for 50 MB and omits
 * who wrote a row; this one reads only what it shows. The file holds every branch ever taken: a row belongs to the
 * conversation if the last row leads back to it. Tools that ran in parallel branch too, and are kept together by their
 * answer's id and by the row that called them.
 */
export async function readNewestRows(path: string, newestTurns: number): Promise<RecordPage> {
  const kept: RecordRow[] = [];
  /** Rows beside the chain, by parent row and by answer: they belong to it if their parent turns out to. */
  const beside = new Map<string, RecordRow[]>();
  const answers = new Set<string>();
  const places = new Map<RecordRow, number>();
  let wanted: string | null | undefined;
  let turns = 0;
  let place = 0;

  const keep = (row: RecordRow): void => {
    kept.push(row);
    const uuid = asText(row['uuid']) ?? '';
    const answer = answerOf(row);
    if (answer !== undefined) answers.add(answer);
    for (const key of [uuid, answer ?? '']) {
      const held = beside.get(key) ?? [];
      beside.delete(key);
      for (const sibling of held) keep(sibling);
    }
  };

  for await (const row of rowsFromEnd(path)) {
    const uuid = asText(row['uuid']);
    if (uuid === undefined || row['isSidechain'] === true) continue;
    place -= 1;
    places.set(row, place);
    if (wanted === undefined || uuid === wanted) {
      wanted = asText(row['parentUuid']) ?? asText(row['logicalParentUuid']) ?? null;
      keep(row);
      const { kind } = meaningOf(row);
      if (kind === 'prompt' || kind === 'wake-up') turns += 1;
      if (wanted === null || turns >= newestTurns) break;
      continue;
    }
    const answer = answerOf(row);
    if (answer !== undefined && answers.has(answer)) keep(row);
    else hold(beside, row, answer);
  }
  const rows = [...new Set(kept)].toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  return { rows, hasMore: wanted !== null && wanted !== undefined };
}

const answerOf = (row: RecordRow): string | undefined =>
  row['type'] === 'assistant' ? asText(asRecord(row['message'])['id']) : undefined;

function hold(beside: Map<string, RecordRow[]>, row: RecordRow, answer: string | undefined): void {
  const isResult =
    row['type'] === 'user' &&
    asList(asRecord(row['message'])['content']).some((block) => asRecord(block)['type'] === 'tool_result');
  const key = answer ?? (isResult ? (asText(row['sourceToolAssistantUUID']) ?? asText(row['parentUuid'])) : undefined);
  if (key === undefined) return;
  const held = beside.get(key);
  if (held) held.push(row);
  else beside.set(key, [row]);
}

const chunkBytes = 1024 * 1024;

/** The conversation's rows, newest first, read in chunks so other work continues in between. */
async function* rowsFromEnd(path: string): AsyncGenerator<RecordRow> {
  const file = await open(path, 'r');
  try {
    let position = (await file.stat()).size;
    /** The end of a line whose start hasn't been read yet, last piece first. */
    let unfinished: Buffer[] = [];
    while (position > 0) {
      const length = Math.min(chunkBytes, position);
      position -= length;
      const chunk = Buffer.allocUnsafe(length);
      await file.read(chunk, 0, length, position);
      let end = length;
      for (
        let newline = chunk.lastIndexOf(10);
        newline !== -1;
        newline = newline === 0 ? -1 : chunk.lastIndexOf(10, newline - 1)
      ) {
        const line = Buffer.concat([chunk.subarray(newline + 1, end), ...unfinished.toReversed()]);
        unfinished = [];
        end = newline;
        const row = rowOf(line);
        if (row) yield row;
      }
      unfinished.push(chunk.subarray(0, end));
    }
    const row = rowOf(Buffer.concat(unfinished.toReversed()));
    if (row) yield row;
  } finally {
    await file.close();
  }
}

const conversation = ['{"type":"user"', '{"type":"assistant"', '{"type":"system"', '{"type":"attachment"'].map(
  (start) => Buffer.from(start),
);
const typedStart = Buffer.from('{"type":"');

/** Rows that start with another type are bookkeeping, often most of a file: they aren't even parsed. */
function rowOf(line: Buffer): RecordRow | undefined {
  if (line.length < 2) return undefined;
  if (startsWith(line, typedStart) && !conversation.some((start) => startsWith(line, start))) return undefined;
  try {
    return asOptionalRecord(JSON.parse(line.toString('utf8')));
  } catch {
    // The last line may be half written.
    return undefined;
  }
}

const startsWith = (line: Buffer, start: Buffer): boolean =>
  line.length >= start.length && line.compare(start, 0, start.length, 0, start.length) === 0;

/** Whether the record has this message of ours: as a row of its own, or accepted into a running turn. */
export async function recordMentions(path: string, uuid: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const wanted = `"${uuid}"`;
    // Chunks overlap, so a uuid that starts at the very end of one is complete in it.
    const chunk = Buffer.allocUnsafe(chunkBytes + wanted.length);
    for (let position = 0; position < size; position += chunkBytes) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
      if (chunk.subarray(0, bytesRead).includes(wanted)) return true;
    }
    return false;
  } finally {
    await file.close();
  }
}
