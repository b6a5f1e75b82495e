import { createCell, type Cell } from '../base/cell.ts';
import { readJson, type Storage } from '../../browser/storage.ts';

export type FoldStore = Cell<ReadonlySet<string>> & { readonly fold: (key: string, folded: boolean) => void };

const key = 'liminal.folded';
const check = (value: unknown): ReadonlySet<string> | null =>
  Array.isArray(value) ? new Set(value.filter((part): part is string => typeof part === 'string')) : null;

/** Which groups of the sidebar are folded, the same again after a reload. */
export function createFoldStore(storage: Storage): FoldStore {
  const cell = createCell<ReadonlySet<string>>(readJson(storage, key, check) ?? new Set());
  cell.subscribe(() => storage.write(key, JSON.stringify([...cell.get()])));
  return {
    ...cell,
    fold: (name, folded) =>
      cell.update((held) => new Set(folded ? [...held, name] : [...held].filter((other) => other !== name))),
  };
}
