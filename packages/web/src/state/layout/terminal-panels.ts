import { WorkspaceTerminals } from '@liminal/contracts';
import { readJson, type Storage } from '../../browser/storage.ts';
import { createCell, type Cell } from '../base/cell.ts';
import { terminalTab } from './tab-id.ts';
import type { TabsStore } from './tabs-store.ts';

export type TerminalPanels = Readonly<Record<string, WorkspaceTerminals>>;

type TerminalPanelsDeps = {
  readonly storage: Storage;
  /** The project the user works in; null on the first screen, undefined while it isn't known. */
  readonly project: () => string | null | undefined;
  readonly isShown: Cell<boolean>;
  readonly height: Cell<number>;
  /** The terminal that was chosen last. */
  readonly chosen: Cell<string | null>;
};

export type TerminalPanelStore = Cell<TerminalPanels> & {
  /** The user may have switched projects: restores the panel of the new one. */
  readonly projectChanged: () => void;
  /** A project was removed. */
  readonly forget: (projectId: string) => void;
};

/** The terminals that are in tabs. */
export const terminalTabs = (tabs: TabsStore) => ({
  has: (terminalId: string): boolean => tabs.all().includes(terminalTab(terminalId)),
  show: (terminalId: string): void => tabs.show(terminalTab(terminalId), tabs.get().active),
  close: (terminalId: string): void => tabs.close(terminalTab(terminalId)),
});

const key = 'liminal.terminals';
const firstScreen = 'first-screen';

function check(value: unknown): TerminalPanels | null {
  if (typeof value !== 'object' || value === null) return null;
  const read = Object.entries(value).flatMap(([projectId, panel]) => {
    const parsed = WorkspaceTerminals.safeParse(panel);
    return parsed.success ? [[projectId, parsed.data] as const] : [];
  });
  return Object.fromEntries(read);
}

/** The state of the terminal panel in each project; survives a reload. */
export function createTerminalPanels(deps: TerminalPanelsDeps): TerminalPanelStore {
  const { storage, project, isShown, height, chosen } = deps;
  const cell = createCell<TerminalPanels>(readJson(storage, key, check) ?? {});
  let current: string | undefined;
  let isApplying = false;

  const apply = (): void => {
    const panel = current === undefined ? undefined : cell.get()[current];
    isApplying = true;
    isShown.set(panel?.isShown ?? false);
    if (panel !== undefined) height.set(panel.height);
    if (typeof panel?.terminalId === 'string') chosen.set(panel.terminalId);
    isApplying = false;
  };
  const keep = (): void => {
    if (isApplying || current === undefined) return;
    const panel = { isShown: isShown.get(), height: height.get(), terminalId: chosen.get() };
    const before = cell.get()[current];
    // Nothing to remember for a project in which the panel was never opened.
    if (before === undefined && !panel.isShown) return;
    isApplying = true;
    cell.update((held) => ({ ...held, [current ?? '']: panel }));
    isApplying = false;
  };
  for (const part of [isShown, height, chosen]) part.subscribe(keep);
  cell.subscribe(() => {
    storage.write(key, JSON.stringify(cell.get()));
    // The server's state replaces the current one.
    if (!isApplying) apply();
  });
  return {
    ...cell,
    forget: (projectId) =>
      cell.update((held) => Object.fromEntries(Object.entries(held).filter(([id]) => id !== projectId))),
    projectChanged() {
      const found = project();
      const next = found === null ? firstScreen : found;
      if (next === undefined || next === current) return;
      // A panel that was opened outside of any project stays.
      const isKept = isShown.get() && (current ?? firstScreen) === firstScreen && cell.get()[next] === undefined;
      current = next;
      if (isKept) keep();
      else apply();
    },
  };
}
