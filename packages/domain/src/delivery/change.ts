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
  /** Present when this state only added text to the one before it. */
  readonly appended?: AppendedText;
};

/** The new state of one of the things a reader holds. */
export type ChangeBody =
  | ItemBody
  | { readonly type: 'session:turn'; readonly payload: TurnEvent }
  | { readonly type: 'session:permission'; readonly payload: PermissionNotice }
  | { readonly type: 'session:status'; readonly payload: SessionStatus }
  | { readonly type: 'session:queue'; readonly payload: SessionQueue }
  | { readonly type: 'session:comments'; readonly payload: CommentsReply }
  | { readonly type: 'session:changes'; readonly payload: FolderChanged }
  | { readonly type: 'session:info'; readonly payload: SessionInfo };

/** A state with its number: `seq` counts the changes of one session within one epoch. */
export type Change = { readonly seq: number; readonly body: ChangeBody; memo?: ChangeMemo };

/** What is found out about a change once, for all its subscribers. It is kept with the change: a weak map costs more. */
export type ChangeMemo = { bytes?: number; append?: OutboundMessage; whole?: OutboundMessage };

type Sent<Body> = Body extends { type: infer Type; payload: infer Payload }
  ? { readonly type: Type; readonly seq: number; readonly payload: Payload; readonly change?: Change; frame?: object }
  : never;

/**
 * A message but for `sessionId` and `epoch`. `change` is there when the message says exactly what that change says: it is
 * then the same object for every subscriber, and `frame` has what was made of it for the network. Joined appends have none.
 */
export type OutboundMessage = Sent<ChangeBody> | Sent<{ type: 'session:append'; payload: AppendPayload }>;

export const itemKey = (itemId: string): string => `item:${itemId}`;

/** The thing a change is about. A newer state of the same key makes an older one worthless (decision 10). */
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

/** The same state sent whole: how it was reached means nothing to a reader who did not see the state before it. */
export function whole(body: ChangeBody): ChangeBody {
  return body.type === 'session:upsert' && body.appended ? { type: body.type, payload: body.payload } : body;
}
