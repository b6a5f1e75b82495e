import type { TerminalSummary } from '@liminal/contracts';
import type { Cell } from '../base/cell.ts';
import type { CompareStore } from '../compare/compare-store.ts';
import type { DraftStore } from '../sessions/draft-store.ts';
import type { NewSessions } from '../sessions/new-sessions.ts';
import { unknownProject, type ProjectOf } from '../layout/layouts.ts';
import { readTab, sessionOfTab } from '../layout/tab-id.ts';
import type { PanelStore } from '../layout/panel-store.ts';
import { shownTabs } from '../layout/tabs.ts';
import type { TabsStore } from '../layout/tabs-store.ts';
import type { Directory } from './directory-store.ts';

type ProjectsOfTabs = {
  readonly directory: () => Directory;
  readonly newSessions: () => Pick<NewSessions, 'origin'>;
  readonly terminals: () => Cell<readonly TerminalSummary[] | null>;
};

/** Finds the project that a tab's session or terminal belongs to. */
export const projectsOfTabs =
  ({ directory, newSessions, terminals }: ProjectsOfTabs): ProjectOf =>
  (id) => {
    const tab = readTab(id);
    if (tab.kind === 'terminal')
      return (
        terminals()
          .get()
          ?.find(({ terminalId }) => terminalId === tab.terminalId)?.projectId ?? undefined
      );
    return (directory().sessions.get(tab.sessionId) ?? newSessions().origin(tab.sessionId))?.projectId;
  };

type CurrentWorkDeps = {
  readonly tabs: TabsStore;
  readonly panels: PanelStore;
  readonly comparing: Pick<CompareStore, 'shown'>;
  readonly drafts: Pick<DraftStore, 'add' | 'images' | 'keepImages' | 'mentions'>;
};

/** The session and project the user works in, whatever the active tab shows. */
export function createCurrentWork(deps: CurrentWorkDeps) {
  const { tabs, panels, comparing, drafts } = deps;
  const lastSessions = new Map<string, string>();
  const followActive = (): void => {
    const { active } = tabs.get();
    const sessionId = active === null ? null : sessionOfTab(active);
    if (sessionId !== null) lastSessions.set(tabs.layouts.get().current, sessionId);
  };
  tabs.subscribe(followActive);
  followActive();

  /** Moves to the conversation to continue writing. */
  const toConversation = (sessionId: string): void => {
    const { active } = tabs.get();
    if (active !== sessionId && tabs.all().some((id) => sessionOfTab(id) === sessionId)) tabs.show(sessionId);
  };
  panels.insert.subscribe(() => {
    const { sessionId = '', text = '', images = [], mentions = [] } = panels.insert.get() ?? {};
    const isAway = !shownTabs(tabs.get()).includes(sessionId);
    toConversation(sessionId);
    if (!isAway || sessionId === '') return;
    // Its composer isn't rendered yet: it starts with the stored draft.
    drafts.add(sessionId, text);
    drafts.keepImages(sessionId, [...images, ...drafts.images(sessionId)]);
    for (const path of mentions) drafts.mentions(sessionId).add(path);
    panels.insert.set(null);
    panels.composerFocus.set(sessionId);
  });
  panels.composerFocus.subscribe(() => toConversation(panels.composerFocus.get() ?? ''));

  return {
    toConversation,
    /** The inbox or a comparison is shown instead of the tabs. */
    areTabsCovered: (): boolean => panels.inbox.get() || comparing.shown.get() !== null,
    /** A new session has begun, possibly while a terminal is active: its id replaces the one it had before. */
    sessionBegun(from: string, to: string): void {
      for (const [project, sessionId] of lastSessions) if (sessionId === from) lastSessions.set(project, to);
    },
    /** The session the user works in, or did before they switched to a terminal; null on the first screen. */
    activeSession: (): string | null =>
      tabs.get().active === null ? null : (lastSessions.get(tabs.layouts.get().current) ?? null),
    /** The project whose tabs are shown. Null on the first screen; undefined while it isn't known. */
    activeProject(): string | null | undefined {
      const { current, isHome } = tabs.layouts.get();
      if (isHome) return null;
      if (current !== unknownProject) return current;
      return tabs.get().active === null ? null : undefined;
    },
  };
}
