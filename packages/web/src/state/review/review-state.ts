import type { ChangedFile, ChangedFileReply, ChangeScope, ChangesReply } from '@liminal/contracts';
import type { ApiFailure } from '@liminal/client/call-routes';
import type { LineRange } from '../../rendering/diff/line-ref.ts';
import type { Patch } from '../../rendering/diff/patch.ts';

export type ReviewQuery = {
  readonly scope: ChangeScope;
  readonly turnId?: string;
  /** The branch a user chose for scope `base`; the default one unless given. */
  readonly base?: string;
};

export type ReviewList =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly failure: ApiFailure }
  | { readonly phase: 'ready'; readonly reply: ChangesReply };

/** What is known of one file's change. */
export type FileBody =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly failure: ApiFailure }
  | {
      readonly phase: 'ready';
      readonly reply: ChangedFileReply;
      /** Null where there is no text to show. */
      readonly patch: Patch | null;
      /** The list names other content by now: it is read again when it is next in sight. */
      readonly isStale: boolean;
    };

/** Unchanged lines a user asked for, from either end of what is left out before a hunk. */
export type OpenedGap = { readonly fromTop: number; readonly fromBottom: number };

/** Lines a user chose; the head is where the keys continue from. */
export type Selection = { readonly path: string; readonly range: LineRange; readonly head: number };

export type Editing = {
  readonly path: string;
  readonly range: LineRange;
  /** A comment that is changed; without it, a new one. */
  readonly commentId?: string;
  readonly text: string;
  readonly isBusy: boolean;
  readonly failure: string | null;
};

/** What came of something the user did. */
export type Outcome = {
  readonly text: string;
  readonly isFailure: boolean;
  readonly undoId?: string;
  /** What git and the hooks wrote. */
  readonly output?: string;
  /** Leads to the turn that a review started. */
  readonly turnId?: string;
};

export type ReviewState = {
  readonly query: ReviewQuery;
  readonly list: ReviewList;
  readonly isRefreshing: boolean;
  readonly bodies: ReadonlyMap<string, FileBody>;
  /** The same files with every unchanged line, where a user asked for more. */
  readonly whole: ReadonlyMap<string, Patch>;
  readonly gaps: ReadonlyMap<string, OpenedGap>;
  /** Files that are collapsed or not, against what they would be by themselves. */
  readonly turned: ReadonlySet<string>;
  /** Folders of the list that are collapsed. */
  readonly closedFolders: ReadonlySet<string>;
  readonly viewed: ReadonlyMap<string, string>;
  /** The file a user is at. */
  readonly current: string | null;
  readonly selection: Selection | null;
  readonly editing: Editing | null;
  readonly filter: string;
  readonly whitespace: 'show' | 'ignore';
  readonly outcome: Outcome | null;
  readonly isBusy: boolean;
};

export const emptyReview = (viewed: ReadonlyMap<string, string>): ReviewState => ({
  query: { scope: 'session' },
  list: { phase: 'loading' },
  isRefreshing: false,
  bodies: new Map(),
  whole: new Map(),
  gaps: new Map(),
  turned: new Set(),
  closedFolders: new Set(),
  viewed,
  current: null,
  selection: null,
  editing: null,
  filter: '',
  whitespace: 'show',
  outcome: null,
  isBusy: false,
});

/** What a file's content is called: another name, and it has changed since it was looked at. */
export const contentOf = ({ oldId, newId, change, additions = 0, deletions = 0 }: ChangedFile): string =>
  oldId === null && newId === null ? `${change} +${additions} -${deletions}` : (newId ?? 'deleted');

export const isViewed = ({ viewed }: Pick<ReviewState, 'viewed'>, file: ChangedFile): boolean =>
  viewed.get(file.path) === contentOf(file);

/** What was viewed is put aside until one turns it over. */
export const isCollapsed = (state: Pick<ReviewState, 'viewed' | 'turned'>, file: ChangedFile): boolean =>
  isViewed(state, file) !== state.turned.has(file.path);
