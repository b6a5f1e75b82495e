/** Comparisons of several agents or models, with what each candidate came to. */
export const comparesMigration = `
  CREATE TABLE compares (
    compare_id TEXT PRIMARY KEY,
    body TEXT NOT NULL
  ) STRICT;
`;
