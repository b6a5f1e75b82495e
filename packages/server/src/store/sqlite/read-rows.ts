import { UpsertObject, type PermissionDecision } from '@liminal/contracts';
import type { ItemRow, ProjectRow, SessionRow, TurnRow } from '../rows.ts';

type Columns = Record<string, unknown> | undefined;

export type RowReader = {
  project(columns: Columns): ProjectRow | undefined;
  session(columns: Columns): SessionRow | undefined;
  turn(columns: Columns): TurnRow | undefined;
  item(columns: Columns): ItemRow | undefined;
  decision(columns: Columns): PermissionDecision | undefined;
  skipped(): number;
};

/** Reads stored rows tolerantly: what is corrupt, or of a build to come, is counted and left out. */
export function createRowReader(): RowReader {
  let skipped = 0;
  const read = <Row>(columns: Columns, check: (body: Record<string, unknown>) => boolean): Row | undefined => {
    if (!columns) return undefined;
    const body = parse(columns['body']);
    if (body && check(body)) return body as Row;
    skipped += 1;
    return undefined;
  };
  const hasStrings =
    (...names: string[]) =>
    (body: Record<string, unknown>) =>
      names.every((name) => typeof body[name] === 'string');
  return {
    project: (columns) => read(columns, hasStrings('projectId', 'dir', 'name', 'addedAt')),
    session: (columns) => read(columns, hasStrings('sessionId', 'cliType', 'projectId', 'title', 'createdAt', 'life')),
    turn: (columns) => read(columns, hasStrings('sessionId', 'turnId', 'state', 'content', 'createdAt')),
    decision: (columns) => read(columns, hasStrings('sessionId', 'requestId', 'at')),
    item(columns) {
      const body = read<unknown>(columns, (value) => UpsertObject.safeParse(value).success);
      if (!columns || body === undefined) return undefined;
      return {
        sessionId: String(columns['session_id']),
        itemId: String(columns['item_id']),
        turnId: String(columns['turn_id']),
        order: Number(columns['order']),
        sourceId: typeof columns['source_id'] === 'string' ? columns['source_id'] : null,
        body: body as UpsertObject,
      };
    },
    skipped: () => skipped,
  };
}

function parse(text: unknown): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
