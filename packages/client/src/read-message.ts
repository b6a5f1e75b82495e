import {
  CompareChanged,
  DirectoryChanged,
  SessionMessage,
  SocketError,
  TerminalServerMessage,
  WorktreeChanged,
  type ServerMessage,
  type SessionMessage as AnySessionMessage,
} from '@liminal/contracts';
import { isItem, type Loose, readObject, readStreamed } from './message-shapes.ts';

export type ReadMessage =
  | Extract<ServerMessage, { type: 'pong' | 'error' | 'directory:changed' | 'worktree:changed' | 'compare:changed' }>
  | AnySessionMessage
  | TerminalServerMessage;

/** A history can have thousands of items. They get the light check, everything else the full schema. */
function readHistory(message: Loose): AnySessionMessage | null {
  const entries = Array.isArray(message['entries']) ? message['entries'].filter(isItem) : [];
  const parsed = SessionMessage.safeParse({ ...message, entries: [] });
  return parsed.success ? ({ ...parsed.data, entries } as AnySessionMessage) : null;
}

/** Reads one socket frame. Anything unknown or malformed is `null`. */
export function readMessage(data: unknown): ReadMessage | null {
  const message = readObject(data);
  if (message === null) return null;
  const streamed = readStreamed(message);
  if (streamed !== undefined) return streamed;
  switch (message['type']) {
    case 'session:history':
      return readHistory(message);
    case 'pong':
      return { type: 'pong' };
    case 'directory:changed':
      return DirectoryChanged.safeParse(message).data ?? null;
    case 'worktree:changed':
      return WorktreeChanged.safeParse(message).data ?? null;
    case 'compare:changed':
      return CompareChanged.safeParse(message).data ?? null;
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
