import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { asList, asOptionalRecord, asRecord, asText, parseJsonObject } from '../../kit/read-json.ts';
import type { RecordRow } from './record-rows.ts';

/** Subagents' output is in separate files; it is inserted after the call that started each of them. */
export async function withSubagents(path: string, rows: readonly RecordRow[]): Promise<readonly RecordRow[]> {
  const folder = join(path.replace(/\.jsonl$/, ''), 'subagents');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.meta.json'));
  if (names.length === 0) return rows;
  const files = new Map<string, string>();
  for (const name of names) {
    const callId = asText(parseJsonObject(await readFile(join(folder, name), 'utf8').catch(() => ''))['toolUseId']);
    if (callId !== undefined) files.set(callId, join(folder, name.replace(/\.meta\.json$/, '.jsonl')));
  }
  return nest(rows, files);
}

/** A subagent may start others, so inserted rows are searched as well; each file is read once. */
async function nest(rows: readonly RecordRow[], files: Map<string, string>): Promise<RecordRow[]> {
  const nested: RecordRow[] = [];
  for (const row of rows) {
    nested.push(row);
    for (const callId of callsOf(row)) {
      const file = files.get(callId);
      if (file === undefined) continue;
      files.delete(callId);
      nested.push(...(await nest(await rowsOfSubagent(file, callId), files)));
    }
  }
  return nested;
}

function callsOf(row: RecordRow): string[] {
  if (row['type'] !== 'assistant') return [];
  return asList(asRecord(row['message'])['content']).flatMap((entry) => {
    const block = asOptionalRecord(entry);
    const id = block?.['type'] === 'tool_use' ? asText(block['id']) : undefined;
    return id === undefined ? [] : [id];
  });
}

async function rowsOfSubagent(path: string, callId: string): Promise<RecordRow[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const row = parseJsonObject(line);
    return row['type'] === 'assistant' || row['type'] === 'user' ? [{ ...row, parent_tool_use_id: callId }] : [];
  });
}
