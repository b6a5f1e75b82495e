import type { SessionDirectory } from '../bus/directory.ts';
import type { ProjectSettingsService } from '../preferences/project-settings.ts';
import type { ProviderRegistry } from '../providers/registry.ts';
import type { SessionService } from '../sessions/service/session-service.ts';
import type { Store } from '../store/store.ts';
import type { WorktreeService } from '../worktrees/worktree-service.ts';

export type CompareDeps = {
  readonly store: Store;
  readonly worktrees: Pick<
    WorktreeService,
    | 'base'
    | 'create'
    | 'finishMerge'
    | 'merge'
    | 'open'
    | 'park'
    | 'read'
    | 'remove'
    | 'restore'
    | 'run'
    | 'setUpAgain'
    | 'undoMerge'
  >;
  readonly sessions: Pick<SessionService, 'cancel' | 'changes' | 'commit' | 'create' | 'send'>;
  readonly directory: Pick<SessionDirectory, 'get' | 'follow'>;
  readonly registry: Pick<ProviderRegistry, 'resolve'>;
  readonly settings: ProjectSettingsService;
  readonly now: () => string;
  readonly newId: () => string;
  /** How long a user can undo keeping a candidate. */
  readonly undoMs: number;
  readonly onError: (error: unknown) => void;
};
