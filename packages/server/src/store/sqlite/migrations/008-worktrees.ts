/** Worktrees of projects. Session rows of older builds have no place: those sessions work in their project's folder. */
export const worktreesMigration = `
CREATE TABLE worktrees (
  worktree_id TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
`;
