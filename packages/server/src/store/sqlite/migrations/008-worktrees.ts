/** Worktrees of projects. Sessions of older builds have no place in their rows: they work in their project's folder. */
export const worktreesMigration = `
CREATE TABLE worktrees (
  worktree_id TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
`;
