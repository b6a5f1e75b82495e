import type { ChangeScope } from '@liminal/contracts';

/** Where in a review a user wants to be. */
export type ReviewPlace = {
  readonly scope?: ChangeScope;
  readonly turnId?: string;
  readonly path?: string;
  readonly line?: number;
  readonly side?: 'old' | 'new';
  /** Whichever list has the file: what the session changed, else all that is uncommitted. */
  readonly isLoose?: boolean;
};
