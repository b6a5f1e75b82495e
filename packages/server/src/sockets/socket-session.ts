import { ClientMessage, type FailureCode, type ServerMessage } from '@liminal/contracts';
import { isModestJson } from '@liminal/domain/json/is-modest-json';
import { z } from 'zod';
import type { BridgeTasks } from '../bridge/bridge-tasks.ts';
import { createBridgeConnection } from '../bridge/bridge-connection.ts';
import type { SessionDirectory } from '../bus/directory.ts';
import type { SessionBus } from '../bus/session-bus.ts';
import { createDirectorySubscription } from '../delivery/directory-subscription.ts';
import { createPump, type FrameSource, type Wire } from '../delivery/pump.ts';
import { createSubscription, type Subscription } from '../delivery/subscription.ts';
import type { TerminalService } from '../terminals/terminal-service.ts';
import type { CompareService } from '../compare/compare-service.ts';
import type { WorktreeService } from '../worktrees/worktree-service.ts';
import { type BytesWire, createTerminalConnection } from './terminal-connection.ts';
import { createWorktreeSubscription } from './worktree-subscription.ts';

/** The whole socket: messages for the pump, and terminal bytes. */
export type SocketWire = Wire & BytesWire;

export type SocketSessionDeps = {
  readonly wire: SocketWire;
  readonly bus: SessionBus;
  readonly directory: SessionDirectory;
  /** Loads a session into memory so it can be followed; false when there is none. */
  readonly open: (sessionId: string) => boolean;
  /** The page starts or stops showing a session's changes. */
  readonly watchChanges: (sessionId: string, isShown: boolean) => void;
  readonly maxOutboxBytes: number;
  readonly tasks: BridgeTasks;
  readonly terminals: TerminalService;
  readonly worktrees: Pick<WorktreeService, 'follow'>;
  readonly compares: Pick<CompareService, 'follow'>;
  readonly onError: (error: unknown) => void;
};

export type SocketSession = { receive(text: string): void; close(): void };

/** One connected browser: any number of sessions and terminals on one socket. Invalid messages get an error reply. */
export function createSocketSession(deps: SocketSessionDeps): SocketSession {
  const { wire, bus, directory } = deps;
  const pump = createPump(wire);
  const subscriptions = new Map<string, Subscription>();
  /** Sessions whose changes this page is showing. */
  const shown = new Set<string>();
  let directorySubscription: FrameSource | null = null;

  const say = (message: ServerMessage) => wire.send(JSON.stringify(message));
  const refuse = (code: FailureCode, message: string, sessionId?: string) =>
    say({ type: 'error', code, message, ...(sessionId === undefined ? {} : { sessionId }) });

  const bridge = createBridgeConnection({ ...deps, pump, maxBytes: deps.maxOutboxBytes, say });

  const terminals = createTerminalConnection({ wire, terminals: deps.terminals, say });

  let worktreeSubscription: FrameSource | null = null;
  const subscribeToWorktrees = (): void => {
    if (worktreeSubscription) pump.remove(worktreeSubscription);
    worktreeSubscription?.stop();
    worktreeSubscription = createWorktreeSubscription({ ...deps, wake: pump.wake });
    pump.add(worktreeSubscription);
  };

  const drop = (sessionId: string) => {
    const subscription = subscriptions.get(sessionId);
    if (!subscription) return;
    subscription.stop();
    pump.remove(subscription);
    subscriptions.delete(sessionId);
  };

  const subscribe = ({ sessionId, cursor, encoding = 'full' }: ClientMessage & { type: 'session:subscribe' }) => {
    drop(sessionId);
    const subscription = createSubscription({
      sessionId,
      encoding,
      bus,
      maxBytes: deps.maxOutboxBytes,
      wake: pump.wake,
      onError: deps.onError,
    });
    if (!deps.open(sessionId) || !subscription.start(cursor)) {
      return refuse('SESSION_NOT_FOUND', 'No session has this id.', sessionId);
    }
    subscriptions.set(sessionId, subscription);
    pump.add(subscription);
    pump.wake();
  };

  const watch = (sessionId: string, watching: boolean): void => {
    if (watching && !deps.open(sessionId)) return refuse('SESSION_NOT_FOUND', 'No session has this id.', sessionId);
    if (watching === shown.has(sessionId)) return;
    if (watching) shown.add(sessionId);
    else shown.delete(sessionId);
    deps.watchChanges(sessionId, watching);
  };

  const subscribeToDirectory = () => {
    if (directorySubscription) pump.remove(directorySubscription);
    directorySubscription?.stop();
    directorySubscription = createDirectorySubscription(directory, pump.wake);
    pump.add(directorySubscription);
  };

  const handle = (message: ClientMessage): void => {
    switch (message.type) {
      case 'session:subscribe':
        return subscribe(message);
      case 'session:unsubscribe':
        return drop(message.sessionId);
      case 'session:item':
        if (!deps.open(message.sessionId)) {
          return refuse('SESSION_NOT_FOUND', 'No session has this id.', message.sessionId);
        }
        if (!bus.repeat(message.sessionId, message.itemId)) {
          refuse('ITEM_NOT_FOUND', 'No item has this id.', message.sessionId);
        }
        return;
      case 'session:watch':
        return watch(message.sessionId, message.watching);
      case 'directory:subscribe':
        return subscribeToDirectory();
      case 'worktrees:subscribe':
        return subscribeToWorktrees();
      case 'ping':
        return say({ type: 'pong' });
      case 'invoke':
        return bridge.invoke(message);
      case 'terminals:subscribe':
      case 'terminal:attach':
      case 'terminal:detach':
      case 'terminal:input':
      case 'terminal:resize':
      case 'terminal:ack':
        return terminals.handle(message);
    }
  };

  return {
    receive(text) {
      const parsed = ClientMessage.safeParse(parseJson(text));
      if (!parsed.success) return refuse('INVALID_REQUEST', z.prettifyError(parsed.error));
      try {
        handle(parsed.data);
      } catch (error) {
        deps.onError(error);
        const sessionId = 'sessionId' in parsed.data ? parsed.data.sessionId : undefined;
        refuse('INTERNAL_ERROR', "Internal server error. The server's log has the details.", sessionId);
      }
    },
    close() {
      for (const sessionId of shown) watch(sessionId, false);
      bridge.close();
      terminals.close();
      pump.stop();
      subscriptions.clear();
    },
  };
}

function parseJson(text: string): unknown {
  if (!isModestJson(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
