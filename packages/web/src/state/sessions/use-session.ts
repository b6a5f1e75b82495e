import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import type {
  FolderChanged,
  PermissionNotice,
  PermissionRequest,
  QueuedMessage,
  ReviewComment,
  SessionInfo,
  SessionStatus,
  UpsertObject,
} from '@liminal/contracts';
import type { Load, RunningTurn, SessionStore, Sought, Topic } from './session-store.ts';

export type SessionScope = {
  readonly store: SessionStore;
  /** The project's folder, to shorten paths inside it; empty if unknown. */
  readonly projectDir: string;
  readonly projectId: string;
  readonly agentName: string;
  /** Whether keys and focus belong to this one of several visible sessions. */
  readonly isActive: boolean;
};

export const SessionContext = createContext<SessionScope | null>(null);

/** The session that contains the component. */
export function useSession(): SessionScope {
  const scope = use(SessionContext);
  if (scope === null) throw new Error('No session above this component');
  return scope;
}

function useTopic<T>(topic: Topic, read: () => T): T {
  const { store } = useSession();
  const subscribe = useCallback((listener: () => void) => store.subscribe(topic, listener), [store, topic]);
  return useSyncExternalStore(subscribe, read);
}

/** One item; the component renders again only when this item changes. */
export function useItem(itemId: string): UpsertObject | undefined {
  const { store } = useSession();
  return useTopic(`item:${itemId}`, () => store.item(itemId));
}

/** Changes when the rows change; growing text doesn't change it. */
export const useRowsVersion = (): number => useTopic('rows', useSession().store.rowsVersion);
export const useEndSignal = (): number => useTopic('end', useSession().store.endSignal);
export const useSought = (): Sought | null => useTopic('sought', useSession().store.sought);
export const useLoad = (): Load => useTopic('load', useSession().store.load);
export const useRunningTurn = (): RunningTurn | null => useTopic('turns', useSession().store.running);
/** Only whether one is running: its details change with every step. */
export function useIsTurnRunning(): boolean {
  const { store } = useSession();
  return useTopic('turns', () => store.running() !== null);
}
export const usePermissions = (): readonly PermissionRequest[] =>
  useTopic('permissions', useSession().store.permissions);
/** The last few closed requests, with their results. */
export const useClosedPermissions = (): readonly PermissionNotice[] =>
  useTopic('permissions', useSession().store.closedPermissions);
export const useQueue = (): readonly QueuedMessage[] => useTopic('queue', useSession().store.queue);
export const useStatus = (): SessionStatus | undefined => useTopic('status', useSession().store.status);
export const useComments = (): readonly ReviewComment[] | undefined =>
  useTopic('comments', useSession().store.comments);
/** When the server last reported a change in the session's folder. */
export const useFolderChanged = (): FolderChanged | undefined => useTopic('changes', useSession().store.folderChanged);
export const useInfo = (): SessionInfo => useTopic('info', useSession().store.info);

/** Whether a row is expanded, remembered while it is scrolled out of view; and a setter. */
export function useExpanded(key: string): [boolean, (expanded: boolean) => void] {
  const { store } = useSession();
  const expanded = useTopic(`expanded:${key}`, () => store.isExpanded(key));
  return [expanded, (next) => store.setExpanded(key, next)];
}
