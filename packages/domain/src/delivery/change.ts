import type {
  AppendedText,
  AppendPayload,
  CommentsReply,
  FolderChanged,
  PermissionNotice,
  SessionInfo,
  SessionQueue,
  SessionStatus,
  TurnEvent,
  UpsertObject,
} from '@liminal/contracts';

export type ItemBody = {
  readonly type: 'session:upsert';
  readonly payload: UpsertObject;
  /** Set if this state only added text to the previous one. */
  readonly appended?: AppendedText;
};

/** The new state of one thing that readers hold. */
export type ChangeBody =
  | ItemBody
  | { readonly type: 'session:turn'; readonly payload: TurnEvent }
  | { readonly type: 'session:permission'; readonly payload: PermissionNotice }
  | { readonly type: 'session:status'; readonly payload: SessionStatus }
  | { readonly type: 'session:queue'; readonly payload: SessionQueue }
  | { readonly type: 'session:comments'; readonly payload: CommentsReply }
  | { readonly type: 'session:changes'; readonly payload: FolderChanged }
  | { readonly type: 'session:info'; readonly payload: SessionInfo };

/** A numbered state: `seq` counts the changes of one session within one epoch. */
export type Change = { readonly seq: number; readonly body: ChangeBody; memo?: ChangeMemo };

/** Derived values of a change, shared by all subscribers. Stored on the change itself: a weak map is slower. */
export type ChangeMemo = { bytes?: number; append?: OutboundMessage; whole?: OutboundMessage };

type Sent<Body> = Body extends { type: infer Type; payload: infer Payload }
  ? { readonly type: Type; readonly seq: number; readonly payload: Payload; readonly change?: Change; frame?: object }
  : never;

/**
 * A message without `sessionId` and `epoch`. `change` is set if the message says exactly what that change says: then
 * all subscribers share the object, and `frame` holds its encoded form. Joined appends have neither.
 */
export type OutboundMessage = Sent<ChangeBody> | Sent<{ type: 'session:append'; payload: AppendPayload }>;

export const itemKey = (itemId: string): string => `item:${itemId}`;

/** Identifies what a change is about. A newer state of the same key makes an older one obsolete (decision 10). */
export function keyOf(body: ChangeBody): string {
  switch (body.type) {
    case 'session:upsert':
      return itemKey(body.payload.itemId);
    case 'session:turn':
      return `turn:${body.payload.turnId}:${body.payload.type === 'turn_started' ? 'start' : 'end'}`;
    case 'session:permission':
      return `permission:${body.payload.request.requestId}`;
    case 'session:status':
      return 'status';
    case 'session:queue':
      return 'queue';
    case 'session:comments':
      return 'comments';
    case 'session:changes':
      return 'changes';
    case 'session:info':
      return 'info';
  }
}

/** The same state in full: a reader who didn't see the previous state can't use the appended text. */
export function whole(body: ChangeBody): ChangeBody {
  return body.type === 'session:upsert' && body.appended ? { type: body.type, payload: body.payload } : body;
}
