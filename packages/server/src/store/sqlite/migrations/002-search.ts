/**
 * Full text of all finished items. The index holds only words (its rowids are those of `items`); finds are shown from
 * the item. Triggers update it in the transaction that writes an item. Growing text isn't indexed until it is complete
 * or its turn is cancelled.
 */
export const searchMigration = `
CREATE VIRTUAL TABLE item_words USING fts5 (
  text,
  content = '',
  contentless_delete = 1,
  prefix = '1 2 3',
  tokenize = "unicode61 remove_diacritics 2"
);

CREATE VIEW item_texts AS
SELECT
  id,
  session_id,
  turn_id,
  body ->> '$.status' IN ('complete', 'error') AS has_ended,
  substr(
    CASE body ->> '$.type'
      WHEN 'tool_call' THEN concat_ws(
        char(10),
        body ->> '$.title',
        body ->> '$.toolName',
        (SELECT group_concat(atom, char(10)) FROM json_tree(body, '$.toolArguments') WHERE type = 'text'),
        (SELECT group_concat(value ->> '$.path', char(10)) FROM json_each(body, '$.diffs')),
        body ->> '$.toolOutput'
      )
      WHEN 'plan' THEN (SELECT group_concat(value ->> '$.content', char(10)) FROM json_each(body, '$.entries'))
      ELSE body ->> '$.content'
    END,
    1,
    262144
  ) AS text
FROM (SELECT id, session_id, turn_id, CASE WHEN json_valid(body) THEN body ELSE '{}' END AS body FROM items);

CREATE VIEW whole_texts AS
SELECT id, session_id, turn_id, text FROM item_texts
WHERE has_ended OR EXISTS (
  SELECT 1 FROM turns
  WHERE turns.session_id = item_texts.session_id AND turns.turn_id = item_texts.turn_id AND turns.state = 'cancelled'
);

CREATE TRIGGER item_words_insert AFTER INSERT ON items BEGIN
  INSERT INTO item_words (rowid, text) SELECT id, text FROM whole_texts WHERE id = new.id;
END;
CREATE TRIGGER item_words_update AFTER UPDATE OF body ON items BEGIN
  DELETE FROM item_words WHERE rowid = new.id;
  INSERT INTO item_words (rowid, text) SELECT id, text FROM whole_texts WHERE id = new.id;
END;
CREATE TRIGGER item_words_delete AFTER DELETE ON items BEGIN
  DELETE FROM item_words WHERE rowid = old.id;
END;
CREATE TRIGGER item_words_cancelled AFTER UPDATE OF state ON turns
WHEN new.state = 'cancelled' AND old.state <> 'cancelled' BEGIN
  INSERT INTO item_words (rowid, text)
  SELECT id, text FROM item_texts
  WHERE session_id = new.session_id AND turn_id = new.turn_id AND NOT has_ended;
END;

INSERT INTO item_words (rowid, text) SELECT id, text FROM whole_texts;
`;
