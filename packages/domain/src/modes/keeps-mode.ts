import { isDangerousMode, type DescribedMode } from './is-dangerous-mode.ts';

/** Modes in which an agent only plans, or asks before each edit. */
const careful = new Set(['default', 'plan', 'ask', 'read-only']);

/**
 * Whether an agent starts again in the mode that it switched to by itself. It must not give itself more rights that way:
 * a mode that may edit without asking is kept only if the user approved a plan with all its edits.
 */
export const keepsMode = (mode: DescribedMode, editsAreApproved: boolean): boolean =>
  !isDangerousMode(mode) && (editsAreApproved || careful.has(mode.id));
