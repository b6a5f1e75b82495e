import type { SessionMessage } from '@liminal/contracts';

export type Loose = Record<string, unknown>;

export const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Enough of a check that no reader can stumble over the shape: the full schema on every token would cost more than
 * drawing it. A kind of item this page does not know is left out, so a newer server does not break it.
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

/** The messages of a stream, checked for each token; `undefined` for any other. */
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

/** The object in a frame of the socket; `null` where there is none. */
export function readObject(data: unknown): Loose | null {
  if (!isText(data)) return null;
  try {
    const message: unknown = JSON.parse(data);
    return isObject(message) ? message : null;
  } catch {
    return null;
  }
}
