/** The rights of a session that starts another one. */
export type ParentRights = { readonly cliType: string; readonly modeId?: string | undefined };

/**
 * For each agent, the mode that asks before edits and commands, and the one that edits files in the folder without
 * asking.
 */
const modes: Readonly<Record<string, { readonly asks: string; readonly edits: string }>> = {
  'claude-code': { asks: 'default', edits: 'acceptEdits' },
  codex: { asks: 'read-only', edits: 'workspace-write' },
  demo: { asks: 'ask', edits: 'ask' },
};
/** Modes in which an agent edits files without asking, or more. */
const editing = new Set(['acceptEdits', 'bypassPermissions', 'workspace-write', 'agent', 'agent-full-access']);
const onlyPlans = new Set(['plan']);

/**
 * The mode of a session that an agent asked for: never with more rights than that agent itself, and never one without
 * permission requests. Null if there is no such mode.
 */
export function childMode(parent: ParentRights | null, cliType: string): string | null {
  if (!Object.hasOwn(modes, cliType)) return null;
  const modeId = parent?.modeId;
  if (modeId !== undefined && onlyPlans.has(modeId)) return null;
  const rights = modeId !== undefined && editing.has(modeId) ? 'edits' : 'asks';
  return modes[cliType]?.[rights] ?? null;
}
