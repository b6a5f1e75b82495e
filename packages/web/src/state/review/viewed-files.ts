import { readJson, type Storage } from '../../browser/storage.ts';

type Kept = readonly (readonly [sessionId: string, path: string, content: string])[];

const key = 'liminal.viewed';
/** The oldest marks are dropped first. */
const most = 5000;

const check = (value: unknown): Kept | null =>
  Array.isArray(value)
    ? value.filter(
        (mark): mark is [string, string, string] =>
          Array.isArray(mark) && mark.length === 3 && mark.every((part) => typeof part === 'string'),
      )
    : null;

/** The viewed files of each session with their content at that time; survives a reload. */
export function createViewedFiles(storage: Storage, sessionId: string) {
  const read = (): Kept => readJson(storage, key, check) ?? [];
  return {
    read: (): ReadonlyMap<string, string> =>
      new Map(read().flatMap(([id, path, content]) => (id === sessionId ? [[path, content] as const] : []))),
    keep(path: string, content: string | null): void {
      const others = read().filter(([id, name]) => id !== sessionId || name !== path);
      const kept = content === null ? others : [...others, [sessionId, path, content] as const];
      storage.write(key, kept.length === 0 ? null : JSON.stringify(kept.slice(-most)));
    },
  };
}
