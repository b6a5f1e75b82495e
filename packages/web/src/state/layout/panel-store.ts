import { createCell, type Cell } from '../base/cell.ts';
import type { Storage } from '../../browser/storage.ts';

/** What stands in front of the page; one at a time. */
export type Panel =
  | { readonly name: 'palette'; readonly mode: 'all' | 'search' }
  | { readonly name: 'shortcuts' }
  | { readonly name: 'settings' }
  | { readonly name: 'add-project' }
  | { readonly name: 'new-session'; readonly projectId?: string }
  | {
      readonly name: 'trust' | 'discover' | 'remove-project' | 'worktrees' | 'comparisons' | 'project-settings';
      readonly projectId: string;
    }
  | { readonly name: 'bring-back' | 'park'; readonly projectId: string; readonly worktreeId: string }
  | { readonly name: 'delete-session'; readonly sessionId: string }
  | { readonly name: 'rewind'; readonly sessionId: string; readonly turnId: string; readonly text: string };

export type InspectorPart = 'changes' | 'plan' | 'tasks' | 'usage' | 'decisions';

export type PanelStore = {
  readonly front: Cell<Panel | null>;
  readonly open: (panel: Panel) => void;
  readonly close: () => void;
  /** The session whose title is being written in the list. */
  readonly renaming: Cell<string | null>;
  /** The session whose composer takes the focus as soon as it is there. */
  readonly composerFocus: Cell<string | null>;
  /** Whether the inspector stands at the right. */
  readonly inspector: Cell<boolean>;
  /** Which part of it was looked at last: the same again in the next session. */
  readonly inspectorPart: Cell<InspectorPart>;
  /** Whether the list at the left lies over the page, at phone width. */
  readonly drawer: Cell<boolean>;
  /** Text on its way into a session's composer. */
  readonly insert: Cell<{ readonly sessionId: string; readonly text: string } | null>;
  /** The session in which the person looks for something. */
  readonly find: Cell<string | null>;
  /** The session whose changes are being committed, in its review. */
  readonly committing: Cell<string | null>;
  /** Whether the list of all open tabs is shown. */
  readonly tabList: Cell<boolean>;
  /** Whether the inbox is shown in place of the sessions. */
  readonly inbox: Cell<boolean>;
};

const inspectorKey = 'liminal.inspector';

/** What is open in front of and beside the session: any part of the page can ask for it, the page itself shows it. */
export function createPanelStore(storage: Storage): PanelStore {
  const front = createCell<Panel | null>(null);
  const drawer = createCell(false);
  const inspector = createCell(storage.read(inspectorKey) === '1');
  inspector.subscribe(() => storage.write(inspectorKey, inspector.get() ? '1' : null));
  return {
    front,
    open(panel) {
      // What was asked for in the list has done its work: closing it leads back to the page.
      drawer.set(false);
      front.set(panel);
    },
    close: () => front.set(null),
    renaming: createCell<string | null>(null),
    composerFocus: createCell<string | null>(null),
    inspector,
    inspectorPart: createCell<InspectorPart>('changes'),
    drawer,
    inbox: createCell(false),
    tabList: createCell(false),
    insert: createCell<{ readonly sessionId: string; readonly text: string } | null>(null),
    find: createCell<string | null>(null),
    committing: createCell<string | null>(null),
  };
}
