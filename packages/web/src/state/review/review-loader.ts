import type { ChangedFile, ChangesReply } from '@liminal/contracts';
import type { Api } from '../../connection/api.ts';
import { readPatch } from '../../rendering/diff/patch.ts';
import type { Cell } from '../base/cell.ts';
import { isSameQuery, unsaved, type FileBody, type ReviewQuery, type ReviewState } from './review-state.ts';

export type ReviewLoaderDeps = {
  readonly api: Pick<Api['session'], 'changes' | 'changedFile'>;
  readonly sessionId: string;
  readonly state: Cell<ReviewState>;
};

/** A file that is being read, and for which view. */
type Reading = Pick<ReviewState, 'query' | 'whitespace'> & { readonly done: Promise<void> };

/** More unchanged lines than any file has. */
const everyLine = 1_000_000;

/** Loads the list first and files as they become visible, and reloads what has changed since. */
export function createReviewLoader({ api, sessionId, state }: ReviewLoaderDeps) {
  /** Answers to outdated requests are ignored. */
  let asked = 0;
  let loading: Promise<void> | null = null;
  let isWantedAgain = false;
  const reading = new Map<string, Reading>();
  const change = (part: Partial<ReviewState>): void => state.update((held) => ({ ...held, ...part }));
  const setBody = (path: string, body: FileBody): void =>
    state.update((held) => ({ ...held, bodies: new Map([...held.bodies, [path, body]]) }));

  /** Whether the page still shows this view. */
  const isShown = (query: ReviewQuery, whitespace: ReviewState['whitespace']): boolean =>
    query === state.get().query && whitespace === state.get().whitespace;

  const readList = async (): Promise<void> => {
    const number = (asked += 1);
    change({ isRefreshing: true });
    const reply = await api.changes(sessionId, state.get().query);
    if (number !== asked) return;
    if (reply.ok) state.update((held) => withList(held, reply.value));
    else if (state.get().list.phase === 'ready' && reply.failure.code === 'UNREACHABLE')
      change({ isRefreshing: false });
    else change({ list: { phase: 'failed', failure: reply.failure }, isRefreshing: false });
  };

  /** Reads a file once at a time; again if the view has changed, because the first answer will be ignored. */
  const readFile = (path: string, isFull = false): Promise<void> => {
    const { query, whitespace } = state.get();
    const running = reading.get(path);
    if (running?.query === query && running.whitespace === whitespace) return running.done;
    const done = readBody(path, isFull).finally(() => {
      if (reading.get(path)?.done === done) reading.delete(path);
    });
    reading.set(path, { query, whitespace, done });
    return done;
  };
  const readBody = async (path: string, isFull: boolean): Promise<void> => {
    const { query, whitespace, bodies } = state.get();
    const number = asked;
    if (bodies.get(path)?.phase !== 'ready') setBody(path, { phase: 'loading' });
    const reply = await api.changedFile(sessionId, {
      ...query,
      path,
      context: 3,
      whitespace,
      ...(isFull && { full: true }),
    });
    const patch = reply.ok && reply.value.patch !== undefined ? await readPatch(reply.value.patch) : null;
    if (!isShown(query, whitespace)) return;
    if (!reply.ok) return setBody(path, { phase: 'failed', failure: reply.failure });
    // A list that arrived meanwhile may already have newer content.
    setBody(path, { phase: 'ready', reply: reply.value, patch, isStale: false });
    if (number !== asked) markStale(path);
  };
  const markStale = (path: string): void =>
    state.update((held) => {
      const file = held.list.phase === 'ready' ? held.list.reply.files.find((each) => each.path === path) : undefined;
      const body = held.bodies.get(path);
      if (file === undefined || body === undefined) return held;
      return { ...held, bodies: new Map([...held.bodies, [path, agedBody(body, file)]]) };
    });

  const refresh = async (): Promise<void> => {
    if (loading !== null) {
      isWantedAgain = true;
      return loading;
    }
    loading = (async () => {
      do {
        isWantedAgain = false;
        await readList();
      } while (isWantedAgain);
    })().finally(() => (loading = null));
    return loading;
  };

  return {
    refresh,
    /** Another scope or turn: reloads everything. */
    async show(query: ReviewQuery): Promise<void> {
      const held = state.get();
      if (isSameQuery(held.query, query) && held.list.phase === 'ready') return refresh();
      asked += 1;
      const fresh = { bodies: new Map(), whole: new Map(), gaps: new Map(), turned: new Set<string>() };
      const editing = unsaved(held);
      change({ query, list: { phase: 'loading' }, selection: null, editing, focused: null, current: null, ...fresh });
      return refresh();
    },
    async setWhitespace(whitespace: ReviewState['whitespace']): Promise<void> {
      change({ whitespace, bodies: new Map(), whole: new Map(), gaps: new Map(), selection: null });
    },
    /** A file is visible, or about to be. Resolves once it is loaded. */
    async need(path: string): Promise<void> {
      const body = state.get().bodies.get(path);
      if (body === undefined || body.phase === 'loading' || (body.phase === 'ready' && body.isStale))
        await readFile(path);
    },
    readAgain: (path: string, isFull = false): Promise<void> => readFile(path, isFull),
    /** The file with every unchanged line. False if it can't be read, or the page shows another view by then. */
    async needWhole(path: string): Promise<boolean> {
      const { query, whitespace, whole } = state.get();
      if (whole.has(path)) return true;
      const reply = await api.changedFile(sessionId, { ...query, path, context: everyLine, whitespace, full: true });
      const patch = reply.ok && reply.value.patch !== undefined ? await readPatch(reply.value.patch) : null;
      if (patch === null || !isShown(query, whitespace)) return false;
      state.update((held) => ({ ...held, whole: new Map([...held.whole, [path, patch]]) }));
      return true;
    },
  };
}
export type ReviewLoader = ReturnType<typeof createReviewLoader>;

const agedBody = (body: FileBody, { oldId, newId }: ChangedFile): FileBody =>
  body.phase !== 'ready' || (body.reply.oldId === oldId && body.reply.newId === newId)
    ? body
    : { ...body, isStale: true };

/** A new list: forgets files that are gone, and reloads those with new content. */
function withList(held: ReviewState, reply: ChangesReply): ReviewState {
  const bodies = new Map<string, FileBody>();
  const gone = new Set<string>();
  for (const file of reply.files) {
    const body = held.bodies.get(file.path);
    if (body === undefined) continue;
    // A failed file may load now. Without ids (edit calls only) it isn't known whether it is the same.
    const isUnknown = file.oldId === null && file.newId === null;
    if (body.phase === 'failed') continue;
    const aged = isUnknown && body.phase === 'ready' ? { ...body, isStale: true } : agedBody(body, file);
    if (aged.phase === 'ready' && aged.isStale) gone.add(file.path);
    bodies.set(file.path, aged);
  }
  const keeps = (path: string): boolean => bodies.has(path) && !gone.has(path);
  return {
    ...held,
    list: { phase: 'ready', reply },
    isRefreshing: false,
    bodies,
    whole: new Map([...held.whole].filter(([path]) => keeps(path))),
    gaps: new Map([...held.gaps].filter(([key]) => keeps(pathOfGap(key)))),
  };
}

/** Identifies a gap by its file and the hunk after it. */
export const gapKey = (path: string, hunk: number): string => `${hunk}:${path}`;
const pathOfGap = (key: string): string => key.slice(key.indexOf(':') + 1);
