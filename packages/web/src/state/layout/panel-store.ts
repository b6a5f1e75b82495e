import type { Image } from '@liminal/contracts';
import { createCell, type Cell } from '../base/cell.ts';
import type { Storage } from '../../browser/storage.ts';
import type { Edge } from './splits.ts';

/** The layer in front of the page; one at a time. */
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
  | { readonly name: 'rename'; readonly sessionId: string }
  | { readonly name: 'fork'; readonly sessionId: string; readonly turnId: string }
  | {
      readonly name: 'rewind';
      readonly sessionId: string;
      readonly turnId: string;
      readonly text: string;
      readonly images: number;
    };

/** Text for a composer, with its images and mentions. */
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
  /** The session that is being renamed in the sidebar. */
  readonly renaming: Cell<string | null>;
  /** The session whose composer takes the focus when it appears. */
  readonly composerFocus: Cell<string | null>;
  /** Whether the inspector is shown. */
  readonly inspector: Cell<boolean>;
  /** The last selected part of it, which also applies to the next session. */
  readonly inspectorPart: Cell<InspectorPart>;
  /** Whether the sidebar covers the page, at phone width. */
  readonly drawer: Cell<boolean>;
  /** Text to insert into a session's composer. */
  readonly insert: Cell<Inserted | null>;
  /** The session with an open find bar. */
  readonly find: Cell<string | null>;
  /** The session whose changes are being committed, in its review. */
  readonly committing: Cell<string | null>;
  /** Where a dragged tab would be dropped in the work area: at an edge of a visible tab. */
  readonly dropAt: Cell<{ readonly tab: string; readonly edge: Edge } | null>;
  /** Whether the list of all open tabs is shown. */
  readonly tabList: Cell<boolean>;
  /** Whether the inbox is shown instead of the sessions. */
  readonly inbox: Cell<boolean>;
};

const inspectorKey = 'liminal.inspector';

/** What is open in front of and next to the session: any part of the page can request it, the page itself shows it. */
export function createPanelStore(storage: Storage): PanelStore {
  const front = createCell<Panel | null>(null);
  const drawer = createCell(false);
  const inspector = createCell(storage.read(inspectorKey) === '1');
  inspector.subscribe(() => storage.write(inspectorKey, inspector.get() ? '1' : null));
  return {
    front,
    open(panel) {
      // The sidebar has served its purpose: closing the panel returns to the page.
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
