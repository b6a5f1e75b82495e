/** Comparisons of several agents or models, with each candidate's result. */
export const comparesMigration = `
  CREATE TABLE compares (
    compare_id TEXT PRIMARY KEY,
    body TEXT NOT NULL
  ) STRICT;
`;
