import type { ChangeScope } from '@liminal/contracts';

/** A place to go to in a review. */
export type ReviewPlace = {
  readonly scope?: ChangeScope;
  readonly turnId?: string;
  readonly path?: string;
  readonly line?: number;
  readonly side?: 'old' | 'new';
  /** In whichever list has the file: the session's changes, or else all uncommitted ones. */
  readonly isLoose?: boolean;
};
