import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';

/** Repeats a Claude Code record until it has the wanted size, each copy continuing the one before. */
export async function growClaudeRecord(path: string, source: string, bytes: number): Promise<void> {
  const rows = (await readFile(source, 'utf8')).trimEnd().split('\n');
  const out = createWriteStream(path);
  let last = 'null';
  for (let copy = 0; out.bytesWritten + out.writableLength < bytes; copy += 1) {
    const suffix = copy.toString(16).padStart(8, '0');
    let previous = last;
    for (const row of rows) {
      const text = row
        .replaceAll(/("(?:uuid|parentUuid|sourceToolAssistantUUID)":")[0-9a-f]{8}/g, `$1${suffix}`)
        .replaceAll(/("(?:id|tool_use_id)":"[^"]*)/g, `$1-${suffix}`)
        .replace('"parentUuid":null', `"parentUuid":${previous}`);
      const own = /"uuid":("[0-9a-f-]{36}")/.exec(text)?.[1];
      if (own && /"type":"(user|assistant|attachment)"/.test(text)) last = own;
      out.write(`${text}\n`);
      previous = last;
    }
    if (out.writableNeedDrain) await once(out, 'drain');
  }
  out.end();
  await finished(out);
}
