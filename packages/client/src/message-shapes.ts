import type { SessionMessage } from '@liminal/contracts';

export type Loose = Record<string, unknown>;

export const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * A light check, enough that no reader fails on the shape: the full schema on every token would cost more than
 * rendering it. Unknown kinds of items are left out, so a newer server doesn't break the page.
 */
export function isItem(value: unknown): boolean {
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

export const isStamped = (message: Loose): boolean =>
  isText(message['sessionId']) && isText(message['epoch']) && typeof message['seq'] === 'number';

function isAppend(payload: unknown): boolean {
  return (
    isObject(payload) && isText(payload['itemId']) && isText(payload['text']) && typeof payload['offset'] === 'number'
  );
}

/** Streaming messages, checked per token. `undefined` for any other. */
export function readStreamed(message: Loose): SessionMessage | null | undefined {
  switch (message['type']) {
    case 'session:append':
      return isStamped(message) && isAppend(message['payload']) ? (message as unknown as SessionMessage) : null;
    case 'session:upsert':
      return isStamped(message) && isItem(message['payload']) ? (message as unknown as SessionMessage) : null;
    default:
      return undefined;
  }
}

/** The object in a socket frame, or `null` if there is none. */
export function readObject(data: unknown): Loose | null {
  if (!isText(data)) return null;
  try {
    const message: unknown = JSON.parse(data);
    return isObject(message) ? message : null;
  } catch {
    return null;
  }
}
