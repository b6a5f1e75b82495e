import { createCell, type Cell } from '../base/cell.ts';
import { readJson, type Storage } from '../../browser/storage.ts';

export type SidebarLayout = { readonly width: number; readonly hidden: boolean };

const key = 'liminal.sidebar';
export const sidebarLimits = { least: 200, usual: 272, most: 560 } as const;

export const clampWidth = (width: number): number =>
  Math.round(Math.min(sidebarLimits.most, Math.max(sidebarLimits.least, width)));

function check(value: unknown): SidebarLayout | null {
  const { width, hidden } = (value ?? {}) as { width?: unknown; hidden?: unknown };
  return typeof width === 'number' ? { width: clampWidth(width), hidden: hidden === true } : null;
}

/** The width of the sidebar, and whether it is hidden. */
export function createSidebarStore(storage: Storage): Cell<SidebarLayout> {
  const cell = createCell<SidebarLayout>(
    readJson(storage, key, check) ?? { width: sidebarLimits.usual, hidden: false },
  );
  cell.subscribe(() => storage.write(key, JSON.stringify(cell.get())));
  return cell;
}
