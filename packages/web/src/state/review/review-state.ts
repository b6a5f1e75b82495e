import type { ChangedFile, ChangedFileReply, ChangeScope, ChangesReply } from '@liminal/contracts';
import type { ApiFailure } from '@liminal/client/call-routes';
import type { LineRange } from '../../rendering/diff/line-ref.ts';
import type { Patch } from '../../rendering/diff/patch.ts';

export type ReviewQuery = {
  readonly scope: ChangeScope;
  readonly turnId?: string;
  /** The branch the user chose for scope `base`; missing for the default. */
  readonly base?: string;
};

export type ReviewList =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly failure: ApiFailure }
  | { readonly phase: 'ready'; readonly reply: ChangesReply };

/** The loaded change of one file. */
export type FileBody =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly failure: ApiFailure }
  | {
      readonly phase: 'ready';
      readonly reply: ChangedFileReply;
      /** Null if there is no text to show. */
      readonly patch: Patch | null;
      /** The list has newer content: reloads when it is next visible. */
      readonly isStale: boolean;
    };

/** How many hidden lines before a hunk the user revealed, from each end. */
export type OpenedGap = { readonly fromTop: number; readonly fromBottom: number };

/** The selected lines; keys continue from the head. */
export type Selection = { readonly path: string; readonly range: LineRange; readonly head: number };

/** Where a comment is being written. */
export type Editing = {
  readonly id: number;
  readonly path: string;
  readonly range: LineRange;
  /** The changes it was begun on. */
  readonly query: ReviewQuery;
  readonly target: CommentTarget;
  /** The lines it is about, as they were shown; null if they weren't. */
  readonly about: string | null;
  /** The comment being edited; missing for a new one. */
  readonly commentId?: string;
  /** The text of the comment being edited; empty for a new one. */
  readonly original: string;
};

/** The content that the lines of a comment are part of. */
export type CommentTarget = ReviewQuery & { readonly blobId?: string };

/** The text of an editor. Apart from its place, because the rows of a review depend only on that. */
export type Written = { readonly text: string; readonly isBusy: boolean; readonly failure: string | null };

/** The result of a user's action. */
export type Outcome = {
  readonly text: string;
  readonly isFailure: boolean;
  readonly undoId?: string;
  /** What git and the hooks printed. */
  readonly output?: string;
  /** The turn that a review started, for a link. */
  readonly turnId?: string;
};

export type ReviewState = {
  readonly query: ReviewQuery;
  readonly list: ReviewList;
  readonly isRefreshing: boolean;
  readonly bodies: ReadonlyMap<string, FileBody>;
  /** The same files with all unchanged lines, if the user asked for more. */
  readonly whole: ReadonlyMap<string, Patch>;
  readonly gaps: ReadonlyMap<string, OpenedGap>;
  /** Files whose collapsed state the user changed from its default. */
  readonly turned: ReadonlySet<string>;
  /** Collapsed folders of the list. */
  readonly closedFolders: ReadonlySet<string>;
  readonly viewed: ReadonlyMap<string, string>;
  /** The current file. */
  readonly current: string | null;
  readonly selection: Selection | null;
  /** Comments that are being written or saved. */
  readonly editing: readonly Editing[];
  readonly written: ReadonlyMap<number, Written>;
  /** The editor that takes the focus when it is drawn; a new object to focus it again. */
  readonly focused: { readonly id: number } | null;
  /** The note that is sent with the comments. */
  readonly note: string;
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
  editing: [],
  written: new Map(),
  focused: null,
  note: '',
  filter: '',
  whitespace: 'show',
  outcome: null,
  isBusy: false,
});

export const isSameQuery = (one: ReviewQuery, other: ReviewQuery): boolean =>
  one.scope === other.scope && one.turnId === other.turnId && one.base === other.base;

export const writtenOf = ({ written }: Pick<ReviewState, 'written'>, { id, original }: Editing): Written =>
  written.get(id) ?? { text: original, isBusy: false, failure: null };

/** The editors whose text would be lost if they were closed. */
export const unsaved = (state: Pick<ReviewState, 'editing' | 'written'>): Editing[] =>
  state.editing.filter((editing) => {
    const { text } = writtenOf(state, editing);
    return text.trim() !== '' && text !== editing.original;
  });

/** Identifies a file's content: if it differs, the file has changed since it was viewed. */
export const contentOf = ({ oldId, newId, change, additions = 0, deletions = 0 }: ChangedFile): string =>
  oldId === null && newId === null ? `${change} +${additions} -${deletions}` : (newId ?? 'deleted');

export const isViewed = ({ viewed }: Pick<ReviewState, 'viewed'>, file: ChangedFile): boolean =>
  viewed.get(file.path) === contentOf(file);

/** Viewed files are collapsed by default. */
export const isCollapsed = (state: Pick<ReviewState, 'viewed' | 'turned'>, file: ChangedFile): boolean =>
  isViewed(state, file) !== state.turned.has(file.path);
