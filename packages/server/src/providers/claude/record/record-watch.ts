import { type FSWatcher, watch } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { asText, parseJsonObject } from '../../kit/read-json.ts';
import { meaningOf } from './record-rows.ts';

/** Notices that a session is used elsewhere, such as in a terminal, while it is open here. */
export type RecordWatch = {
  /** Starts watching once there is a record, and checks soon. */
  start(): void;
  /** Checks now; `true` if someone else has written since the last check. */
  look(): Promise<boolean>;
  /** The session continues in another record: starts over with that one. */
  restart(): void;
  close(): void;
};

/** Marks rows that Claude Code wrote for us; rows from a terminal have another value. */
const ourEntrypoint = 'sdk-ts';
/** Several writes make one answer: they are checked together. */
const settleMs = 300;
/**
 * A new session's record may appear a while after its first turn started, so the search is repeated with growing
 * delays.
 */
const longestWaitMs = 10_000;

export type RecordWatchOptions = {
  readonly findRecord: () => Promise<string | undefined>;
  /** The caller has already read what the record contains. */
  readonly isKnown: boolean;
  readonly onForeign: () => void;
};

export function createRecordWatch({ findRecord, isKnown, onForeign }: RecordWatchOptions): RecordWatch {
  let path: string | undefined;
  let finding: Promise<void> | undefined;
  /** How far it was checked; undefined until the size of an already known record is read. */
  let seen = isKnown ? undefined : 0;
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  let closed = false;

  async function find(): Promise<void> {
    path ??= await findRecord();
    if (path !== undefined) seen ??= await sizeOf(path);
    if (path === undefined || watcher || closed) return;
    try {
      watcher = watch(path, { persistent: false }, () => later());
      watcher.on('error', () => watcher?.close());
    } catch {
      // Without a watcher the next message still checks.
    }
  }

  const begin = (): Promise<void> => (finding ??= find().finally(() => (finding = undefined)));

  async function look(): Promise<boolean> {
    await begin();
    if (path === undefined) return false;
    const from = seen ?? 0;
    const written = await readFrom(path, from);
    // Another check may have been faster.
    if (seen !== from) return false;
    // The last line may be half written: it is checked once it is complete.
    const whole = written.subarray(0, written.lastIndexOf(10) + 1);
    seen = from + whole.length;
    return hasForeignPrompt(whole.toString('utf8'));
  }

  function later(afterMs = settleMs): void {
    clearTimeout(timer);
    if (closed) return;
    timer = setTimeout(() => {
      look().then(
        (foreign) => {
          if (foreign && !closed) onForeign();
          else if (path === undefined && afterMs < longestWaitMs) later(2 * afterMs);
        },
        () => {},
      );
    }, afterMs);
    timer.unref();
  }

  return {
    start: () =>
      void begin().then(
        () => later(),
        () => {},
      ),
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

async function readFrom(path: string, from: number): Promise<Buffer> {
  const to = await sizeOf(path);
  if (to <= from) return Buffer.alloc(0);
  const file = await open(path, 'r');
  try {
    const bytes = Buffer.alloc(to - from);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function hasForeignPrompt(text: string): boolean {
  return text.split('\n').some((line) => {
    if (!line.includes('"type":"user"')) return false;
    const row = parseJsonObject(line);
    const entrypoint = asText(row['entrypoint']);
    return entrypoint !== undefined && entrypoint !== ourEntrypoint && meaningOf(row).kind === 'prompt';
  });
}
