/**
 * When outputs and decisions were written, so old ones can be found without reading the others. Existing outputs get no
 * time of their own, because that would rewrite all of them: they count from the time in `undated_outputs`.
 */
export const retentionMigration = `
ALTER TABLE outputs ADD COLUMN written_at TEXT NOT NULL DEFAULT '';
CREATE INDEX outputs_by_time ON outputs (written_at);
CREATE TABLE undated_outputs (since TEXT NOT NULL) STRICT;
INSERT INTO undated_outputs VALUES (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));

ALTER TABLE decisions ADD COLUMN at TEXT AS (CASE WHEN json_valid(body) THEN body ->> '$.at' END) VIRTUAL;
CREATE INDEX decisions_by_time ON decisions (at);
`;
