import { createCell, type Cell } from '../base/cell.ts';
import type { Storage } from '../../browser/storage.ts';

export type Theme = 'system' | 'light' | 'dark';

const key = 'liminal.theme';
const read = (text: string | null): Theme => (text === 'light' || text === 'dark' ? text : 'system');

/** Light or dark: as the system says, unless the person chose. `apply` shows it. */
export function createThemeStore(storage: Storage, apply: (theme: Theme) => void): Cell<Theme> {
  const cell = createCell<Theme>(read(storage.read(key)));
  apply(cell.get());
  cell.subscribe(() => {
    storage.write(key, cell.get() === 'system' ? null : cell.get());
    apply(cell.get());
  });
  return cell;
}
