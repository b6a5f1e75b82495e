import { createCell, type Cell } from '../base/cell.ts';
import type { Storage } from '../../browser/storage.ts';

const themes = ['system', 'light', 'dark', 'contrast'] as const;
const densities = ['comfortable', 'compact'] as const;
export type Theme = (typeof themes)[number];
export type Density = (typeof densities)[number];

/** One of a few values that this browser remembers; the first is the default and isn't stored. `apply` shows it. */
function createChoice<Value extends string>(
  storage: Storage,
  key: string,
  values: readonly [Value, ...Value[]],
  apply: (value: Value) => void,
): Cell<Value> {
  const kept = storage.read(key);
  const cell = createCell<Value>(values.find((value) => value === kept) ?? values[0]);
  apply(cell.get());
  cell.subscribe(() => {
    storage.write(key, cell.get() === values[0] ? null : cell.get());
    apply(cell.get());
  });
  return cell;
}

/** Light, dark or high contrast: the system's setting by default. */
export const createThemeStore = (storage: Storage, apply: (theme: Theme) => void): Cell<Theme> =>
  createChoice(storage, 'liminal.theme', themes, apply);

/** How much space rows and controls take. */
export const createDensityStore = (storage: Storage, apply: (density: Density) => void): Cell<Density> =>
  createChoice(storage, 'liminal.density', densities, apply);
