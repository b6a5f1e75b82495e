import { type FSWatcher, watch } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { asText } from '../loose.ts';
import { parseObject } from './loose.ts';
import { meaningOf } from './record-rows.ts';

/** Notices that a session is used elsewhere, in a terminal say, while it is open here. */
export type RecordWatch = {
  /** Begins to watch, once there is a record. */
  start(): void;
  /** Looks now; `true` when someone else has written since the last look. */
  look(): Promise<boolean>;
  /** The session goes on in another record: what was noted of this one no longer holds. */
  restart(): void;
  close(): void;
};

/** How Claude Code marks what it wrote for us; a terminal leaves another mark. */
const ourEntrypoint = 'sdk-ts';
/** Several writes make one answer: they are looked at together. */
const settleMs = 300;

export function createRecordWatch(findRecord: () => Promise<string | undefined>, onForeign: () => void): RecordWatch {
  let path: string | undefined;
  let finding: Promise<void> | undefined;
  let seen = 0;
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  let closed = false;

  async function find(): Promise<void> {
    path ??= await findRecord();
    if (path === undefined || watcher || closed) return;
    seen = await sizeOf(path);
    try {
      watcher = watch(path, { persistent: false }, later);
      watcher.on('error', () => watcher?.close());
    } catch {
      // Without a watcher the next message still looks.
    }
  }

  const begin = (): Promise<void> => (finding ??= find().finally(() => (finding = undefined)));

  async function look(): Promise<boolean> {
    await begin();
    if (path === undefined) return false;
    const from = seen;
    const to = await sizeOf(path);
    if (to <= from) return false;
    seen = to;
    return hasForeignPrompt(await readRange(path, from, to));
  }

  function later(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      look().then(
        (foreign) => foreign && !closed && onForeign(),
        () => {},
      );
    }, settleMs);
    timer.unref();
  }

  return {
    start: () => void begin().catch(() => {}),
    look,
    restart() {
      watcher?.close();
      watcher = undefined;
      path = undefined;
      seen = 0;
      clearTimeout(timer);
    },
    close() {
      closed = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

async function readRange(path: string, from: number, to: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const bytes = Buffer.alloc(to - from);
    await file.read(bytes, 0, bytes.length, from);
    return bytes.toString('utf8');
  } finally {
    await file.close();
  }
}

function hasForeignPrompt(text: string): boolean {
  return text.split('\n').some((line) => {
    if (!line.includes('"type":"user"')) return false;
    const row = parseObject(line);
    const entrypoint = asText(row['entrypoint']);
    return entrypoint !== undefined && entrypoint !== ourEntrypoint && meaningOf(row).kind === 'prompt';
  });
}
