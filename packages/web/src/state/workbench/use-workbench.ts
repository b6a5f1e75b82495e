import { createContext, use, useSyncExternalStore } from 'react';
import type { ApiFailure } from '@liminal/client/call-routes';
import type { Cell } from '../base/cell.ts';
import { useIsMounted } from '../base/use-is-mounted.ts';
import type { ConnectionState } from './connection-store.ts';
import type { Directory } from './directory-store.ts';
import type { OutgoingMessage } from '../sessions/outgoing-store.ts';
import type { Tabs } from '../layout/tabs.ts';
import type { Workbench } from './workbench.ts';

export const WorkbenchContext = createContext<Workbench | null>(null);

/** The workbench of this page. */
export function useWorkbench(): Workbench {
  const workbench = use(WorkbenchContext);
  if (workbench === null) throw new Error('No workbench above this component');
  return workbench;
}

export const useCell = <T>(cell: Pick<Cell<T>, 'get' | 'subscribe'>): T =>
  useSyncExternalStore(cell.subscribe, cell.get);

export const useDirectory = (): Directory => useCell(useWorkbench().directory);
/** One value from the directory. Ignores other changes, which come with every session. */
export function useDirectoryFact<T extends string | number | boolean | null | undefined>(
  read: (directory: Directory) => T,
): T {
  const { directory } = useWorkbench();
  return useSyncExternalStore(directory.subscribe, () => read(directory.get()));
}
export const useTabs = (): Tabs => useCell(useWorkbench().tabs);
export const useConnection = (): ConnectionState => useCell(useWorkbench().connection);
/** The server is unreachable: the page shows what it last received. */
export const useIsDisconnected = (): boolean => useConnection().socket.phase === 'lost';
export const useOutgoing = (): readonly OutgoingMessage[] => useCell(useWorkbench().outgoing);

/** Reports a failure that a dialog can't show any more, because the user closed it before the reply arrived. */
export function useLateFailure(): (what: string, failure: ApiFailure) => void {
  const { failures } = useWorkbench();
  const isMounted = useIsMounted();
  return (what, failure) => {
    if (!isMounted()) failures.report(what, failure);
  };
}
