import { PermissionDecision, UpsertObject, type Cursor } from '@liminal/contracts';
import { CheckpointRow, CheckpointSize, CheckpointTimes, CommentRow, RewindRow, UndoRow } from '../review-rows.ts';
import { DeliveryRow, SeenSession, WebhookRow } from '../webhook-rows.ts';
import { CompareRow } from '../compare-rows.ts';
import { WorktreeRow } from '../worktree-rows.ts';
import { type ItemRow, ListedSessionRow, OpenRequestRow, ProjectRow, SessionRow, TurnRow } from '../rows.ts';

type Columns = Record<string, unknown> | undefined;
type Shape = { safeParse(value: unknown): { readonly success: boolean } };

export type RowReader = {
  project(columns: Columns): ProjectRow | undefined;
  session(columns: Columns): SessionRow | undefined;
  listedSession(columns: Columns): ListedSessionRow | undefined;
  turn(columns: Columns): TurnRow | undefined;
  item(columns: Columns): ItemRow | undefined;
  decision(columns: Columns): PermissionDecision | undefined;
  openRequest(columns: Columns): OpenRequestRow | undefined;
  comment(columns: Columns): CommentRow | undefined;
  checkpoint(columns: Columns): CheckpointRow | undefined;
  checkpointSize(columns: Columns): CheckpointSize | undefined;
  checkpointTimes(columns: Columns): CheckpointTimes | undefined;
  undo(columns: Columns): UndoRow | undefined;
  rewind(columns: Columns): RewindRow | undefined;
  webhook(columns: Columns): WebhookRow | undefined;
  delivery(columns: Columns): DeliveryRow | undefined;
  seen(columns: Columns): SeenSession | undefined;
  worktree(columns: Columns): WorktreeRow | undefined;
  compare(columns: Columns): CompareRow | undefined;
  setting(columns: Columns): unknown;
  skipped(): number;
};

/** Reads stored rows tolerantly: rows that are corrupt or from a newer build are counted and skipped. */
export function createRowReader(): RowReader {
  let skipped = 0;
  const skip = (): undefined => {
    skipped += 1;
    return undefined;
  };
  // Returns the stored body, not the parsed one, to keep fields this build doesn't know.
  const read = <Row>(columns: Columns, shape: Shape): Row | undefined => {
    if (!columns) return undefined;
    const body = parse(columns['body']);
    return shape.safeParse(body).success ? (body as Row) : skip();
  };
  return {
    project: (columns) => read(columns, ProjectRow),
    session: (columns) => read(columns, SessionRow),
    listedSession: (columns) => read(columns, ListedSessionRow),
    turn: (columns) => read(columns, TurnRow),
    decision: (columns) => read(columns, PermissionDecision),
    openRequest: (columns) => read(columns, OpenRequestRow),
    comment: (columns) => read(columns, CommentRow),
    checkpoint: (columns) => read(columns, CheckpointRow),
    checkpointSize: (columns) => read(columns, CheckpointSize),
    checkpointTimes: (columns) => read(columns, CheckpointTimes),
    undo: (columns) => read(columns, UndoRow),
    rewind: (columns) => read(columns, RewindRow),
    webhook: (columns) => read(columns, WebhookRow),
    delivery: (columns) => read(columns, DeliveryRow),
    seen: (columns) => read(columns, SeenSession),
    worktree: (columns) => read(columns, WorktreeRow),
    compare: (columns) => read(columns, CompareRow),
    item(columns) {
      const body = read<UpsertObject>(columns, UpsertObject);
      if (!columns || body === undefined) return undefined;
      return {
        sessionId: String(columns['session_id']),
        itemId: String(columns['item_id']),
        turnId: String(columns['turn_id']),
        order: Number(columns['order']),
        sourceId: typeof columns['source_id'] === 'string' ? columns['source_id'] : null,
        change: changeOf(columns),
        body,
      };
    },
    setting(columns) {
      if (!columns) return undefined;
      const value = parse(columns['value']);
      return value === unreadable ? skip() : value;
    },
    skipped: () => skipped,
  };
}

function changeOf({ epoch, seq }: Record<string, unknown>): Cursor | null {
  return typeof epoch === 'string' && typeof seq === 'number' ? { epoch, seq } : null;
}

const unreadable = Symbol('unreadable');

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    return unreadable;
  }
}
