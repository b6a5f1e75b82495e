import { createCell, type Cell } from '../base/cell.ts';
import { readJson, type Storage } from '../../browser/storage.ts';

export type CollapsedStore = Cell<ReadonlySet<string>> & {
  readonly setCollapsed: (key: string, collapsed: boolean) => void;
};

const key = 'liminal.folded';
const check = (value: unknown): ReadonlySet<string> | null =>
  Array.isArray(value) ? new Set(value.filter((part): part is string => typeof part === 'string')) : null;

/** Which groups of the sidebar are collapsed; survives a reload. */
export function createCollapsedStore(storage: Storage): CollapsedStore {
  const cell = createCell<ReadonlySet<string>>(readJson(storage, key, check) ?? new Set());
  cell.subscribe(() => storage.write(key, JSON.stringify([...cell.get()])));
  return {
    ...cell,
    setCollapsed: (name, collapsed) =>
      cell.update((held) => new Set(collapsed ? [...held, name] : [...held].filter((other) => other !== name))),
  };
}
