import type { Image } from '@liminal/contracts';
import { createCell, type Cell } from '../base/cell.ts';
import type { Storage } from '../../browser/storage.ts';
import type { Edge } from './splits.ts';

/** What is in front of the page; one at a time. */
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
  | { readonly name: 'fork'; readonly sessionId: string; readonly turnId: string }
  | {
      readonly name: 'rewind';
      readonly sessionId: string;
      readonly turnId: string;
      readonly text: string;
      readonly images: number;
    };

/** Text for a composer, with what goes along with it. */
export type Inserted = {
  readonly sessionId: string;
  readonly text: string;
  readonly images?: readonly Image[];
  readonly mentions?: readonly string[];
};

export type InspectorPart = 'changes' | 'plan' | 'tasks' | 'usage' | 'decisions';

export type PanelStore = {
  readonly front: Cell<Panel | null>;
  readonly open: (panel: Panel) => void;
  readonly close: () => void;
  /** The session whose title is being written in the list. */
  readonly renaming: Cell<string | null>;
  /** The session whose composer takes the focus as soon as it is there. */
  readonly composerFocus: Cell<string | null>;
  /** Whether the inspector is at the right. */
  readonly inspector: Cell<boolean>;
  /** Which part of it was looked at last: the same again in the next session. */
  readonly inspectorPart: Cell<InspectorPart>;
  /** Whether the list at the left is over the page, at phone width. */
  readonly drawer: Cell<boolean>;
  /** What is on its way into a session's composer. */
  readonly insert: Cell<Inserted | null>;
  /** The session in which the user looks for something. */
  readonly find: Cell<string | null>;
  /** The session whose changes are being committed, in its review. */
  readonly committing: Cell<string | null>;
  /** Where a dragged tab would go in the work area: to an edge of a tab that is shown. */
  readonly dropAt: Cell<{ readonly tab: string; readonly edge: Edge } | null>;
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
    dropAt: createCell<{ readonly tab: string; readonly edge: Edge } | null>(null),
    insert: createCell<Inserted | null>(null),
    find: createCell<string | null>(null),
    committing: createCell<string | null>(null),
  };
}
