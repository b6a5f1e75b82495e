import type { ChangedFile } from '@liminal/contracts';
import { createCell, type Cell } from '../base/cell.ts';
import { readJson, type Storage } from '../../browser/storage.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { Workbench } from '../workbench/workbench.ts';
import { createReviewActions } from './review-actions.ts';
import { createReviewComments } from './review-comments.ts';
import { createReviewLoader, gapKey } from './review-loader.ts';
import { contentOf, emptyReview, isViewed, type ReviewState, type Selection } from './review-state.ts';
import { createViewedFiles } from './viewed-files.ts';

/** How the user reads changes; applies to every session in this browser. */
export type ReviewLook = { readonly isSplit: boolean; readonly isTree: boolean };

const lookKey = 'liminal.review';
const checkLook = (value: unknown): ReviewLook | null => {
  const { isSplit, isTree } = (value ?? {}) as Partial<ReviewLook>;
  return { isSplit: isSplit !== false, isTree: isTree === true };
};

function createLook(storage: Storage): Cell<ReviewLook> {
  const cell = createCell<ReviewLook>(readJson(storage, lookKey, checkLook) ?? { isSplit: true, isTree: false });
  cell.subscribe(() => storage.write(lookKey, JSON.stringify(cell.get())));
  return cell;
}

/** How many unchanged lines one click reveals. */
const linesAtOnce = 20;

function createReviewStore(workbench: Workbench, session: SessionStore) {
  const { api, storage, newId } = workbench;
  const { sessionId } = session;
  const viewedFiles = createViewedFiles(storage, sessionId);
  const state = createCell<ReviewState>(emptyReview(viewedFiles.read()));
  const change = (part: Partial<ReviewState>): void => state.update((held) => ({ ...held, ...part }));
  const loader = createReviewLoader({ api: api.session, sessionId, state });
  const comments = createReviewComments({
    api: api.session,
    session,
    state,
    newId,
    refresh: () => void loader.refresh(),
  });
  return {
    session,
    state,
    loader,
    comments,
    look: lookOf(storage),
    actions: createReviewActions({ api: api.session, sessionId, state, loader }),
    change,
    /** Reloads everything that may have changed. */
    refresh: async (): Promise<void> => void (await Promise.all([loader.refresh(), comments.read()])),
    setViewed(file: ChangedFile, isSeen: boolean): void {
      viewedFiles.keep(file.path, isSeen ? contentOf(file) : null);
      state.update((held) => ({
        ...held,
        viewed: new Map(
          isSeen
            ? [...held.viewed, [file.path, contentOf(file)]]
            : [...held.viewed].filter(([path]) => path !== file.path),
        ),
        turned: new Set([...held.turned].filter((path) => path !== file.path)),
      }));
    },
    isViewed: (file: ChangedFile): boolean => isViewed(state.get(), file),
    turn: (path: string): void =>
      state.update((held) => {
        const turned = new Set(held.turned);
        if (!turned.delete(path)) turned.add(path);
        return { ...held, turned };
      }),
    /** Expands or collapses a folder of the list. */
    turnFolder: (key: string): void =>
      state.update((held) => {
        const closedFolders = new Set(held.closedFolders);
        if (!closedFolders.delete(key)) closedFolders.add(key);
        return { ...held, closedFolders };
      }),
    select: (selection: Selection | null): void =>
      state.update((held) => ({
        ...held,
        selection,
        ...(selection !== null && { current: selection.path }),
      })),
    /** Reveals some of the hidden lines before a hunk, or all of them. */
    async openGap(path: string, hunk: number, hidden: number, isAll: boolean): Promise<void> {
      if (!(await loader.needWhole(path))) return;
      state.update((held) => {
        const { fromTop, fromBottom } = held.gaps.get(gapKey(path, hunk)) ?? { fromTop: 0, fromBottom: 0 };
        const opened =
          isAll || hidden <= 2 * linesAtOnce
            ? { fromTop: fromTop + hidden, fromBottom }
            : { fromTop: fromTop + (hunk === 0 ? 0 : linesAtOnce), fromBottom: fromBottom + linesAtOnce };
        return { ...held, gaps: new Map([...held.gaps, [gapKey(path, hunk), opened]]) };
      });
    },
  };
}
export type ReviewStore = ReturnType<typeof createReviewStore>;

const looks = new WeakMap<Storage, Cell<ReviewLook>>();
function lookOf(storage: Storage): Cell<ReviewLook> {
  const look = looks.get(storage) ?? createLook(storage);
  looks.set(storage, look);
  return look;
}

const stores = new WeakMap<SessionStore, ReviewStore>();

/** The review of an open session, created once per session. */
export function reviewStoreOf(workbench: Workbench, session: SessionStore): ReviewStore {
  const store = stores.get(session) ?? createReviewStore(workbench, session);
  stores.set(session, store);
  return store;
}
