import type { ReadMessage } from './read-message.ts';
import { isItem, isObject, isStamped, isText, type Loose, readObject, readStreamed } from './message-shapes.ts';

const isList = (value: unknown, isEach: (each: Loose) => boolean): value is Loose[] =>
  Array.isArray(value) && value.every((each) => isObject(each) && isEach(each));
const isStatus = (value: unknown): boolean =>
  isObject(value) &&
  isText(value['state']) &&
  isText(value['activity']) &&
  (value['lastError'] === undefined || (isObject(value['lastError']) && isText(value['lastError']['message'])));
const isQueue = (value: unknown): boolean => isList(value, ({ turnId }) => isText(turnId));
const isRequest = ({ requestId, title, options }: Loose): boolean =>
  isText(requestId) && isText(title) && Array.isArray(options);

function isTurnEvent(value: unknown): boolean {
  if (!isObject(value) || !isText(value['turnId'])) return false;
  switch (value['type']) {
    case 'turn_started':
      return true;
    case 'turn_complete':
      return isText(value['status']);
    case 'turn_error':
      return isText(value['errorMessage']);
    default:
      return false;
  }
}
const isTurn = ({ turnId, state, ended }: Loose): boolean =>
  isText(turnId) && isText(state) && (ended === undefined || isTurnEvent(ended));

/** Whether a message has the shape that a session's state is built from. */
function isUsable(message: Loose): boolean {
  const { payload } = message;
  switch (message['type']) {
    case 'session:history':
      return (
        isList(message['turns'], isTurn) &&
        isList(message['permissions'], isRequest) &&
        isQueue(message['queue']) &&
        isStatus(message['status']) &&
        isObject(message['info'])
      );
    case 'session:turn':
      return isTurnEvent(payload);
    case 'session:permission':
      return (
        isObject(payload) && isText(payload['state']) && isObject(payload['request']) && isRequest(payload['request'])
      );
    case 'session:status':
      return isStatus(payload);
    case 'session:queue':
      return isObject(payload) && isQueue(payload['queue']);
    case 'session:resumed':
      return message['verdict'] === 'ok' || message['verdict'] === 'gap';
    default:
      return false;
  }
}

/**
 * Like `readMessage`, but only for the progress of a session: for programs that must start fast, because loading the
 * schemas takes longer than the whole command. Messages that don't affect the progress are `null`.
 */
export function readProgress(data: unknown): ReadMessage | null {
  const message = readObject(data);
  if (message === null) return null;
  if (message['type'] === 'pong') return { type: 'pong' };
  if (message['type'] === 'error')
    return isText(message['code']) && isText(message['message']) ? (message as ReadMessage) : null;
  const streamed = readStreamed(message);
  if (streamed !== undefined) return streamed;
  if (!isStamped(message) || !isUsable(message)) return null;
  if (message['type'] !== 'session:history') return message as ReadMessage;
  const entries = Array.isArray(message['entries']) ? message['entries'].filter(isItem) : [];
  return { ...message, entries } as unknown as ReadMessage;
}
