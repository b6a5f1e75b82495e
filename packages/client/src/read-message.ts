import {
  DirectoryChanged,
  SessionMessage,
  SocketError,
  TerminalServerMessage,
  type ServerMessage,
  type SessionMessage as AnySessionMessage,
} from '@liminal/contracts';

type Loose = Record<string, unknown>;
export type ReadMessage =
  | Extract<ServerMessage, { type: 'pong' | 'error' | 'directory:changed' }>
  | AnySessionMessage
  | TerminalServerMessage;

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Enough of a check that no reader can stumble over the shape: the full schema on every token would cost more than
 * drawing it. A kind of item this page does not know is left out, so that a newer server does not break it.
 */
function isItem(value: unknown): boolean {
  if (!isObject(value) || !isText(value['itemId']) || !isText(value['turnId']) || !isText(value['status']))
    return false;
  switch (value['type']) {
    case 'message':
    case 'thinking':
      return isText(value['content']);
    case 'tool_call':
      return isText(value['toolName']) && isText(value['callId']) && isObject(value['toolArguments']);
    case 'plan':
      return Array.isArray(value['entries']) && value['entries'].every(isObject);
    default:
      return false;
  }
}

const isStamped = (message: Loose): boolean =>
  isText(message['sessionId']) && isText(message['epoch']) && typeof message['seq'] === 'number';

function isAppend(payload: unknown): boolean {
  return (
    isObject(payload) && isText(payload['itemId']) && isText(payload['text']) && typeof payload['offset'] === 'number'
  );
}

/** A history can hold thousands of items: they get the light check, everything around them the whole schema. */
function readHistory(message: Loose): AnySessionMessage | null {
  const entries = Array.isArray(message['entries']) ? message['entries'].filter(isItem) : [];
  const parsed = SessionMessage.safeParse({ ...message, entries: [] });
  return parsed.success ? ({ ...parsed.data, entries } as AnySessionMessage) : null;
}

/** Reads one frame of the socket; what this page does not know, or what is malformed, is `null` and costs nothing. */
export function readMessage(data: unknown): ReadMessage | null {
  if (!isText(data)) return null;
  let message: unknown;
  try {
    message = JSON.parse(data);
  } catch {
    return null;
  }
  if (!isObject(message)) return null;
  switch (message['type']) {
    case 'session:append':
      return isStamped(message) && isAppend(message['payload']) ? (message as unknown as AnySessionMessage) : null;
    case 'session:upsert':
      return isStamped(message) && isItem(message['payload']) ? (message as unknown as AnySessionMessage) : null;
    case 'session:history':
      return readHistory(message);
    case 'pong':
      return { type: 'pong' };
    case 'directory:changed':
      return DirectoryChanged.safeParse(message).data ?? null;
    case 'terminal:state':
    case 'terminal:exit':
    case 'terminals:changed':
      return TerminalServerMessage.safeParse(message).data ?? null;
    case 'error':
      return SocketError.safeParse(message).data ?? null;
    default:
      return SessionMessage.safeParse(message).data ?? null;
  }
}
