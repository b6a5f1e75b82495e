import { useEffect, useState } from 'react';
import type { ChangesReply } from '@liminal/contracts';
import type { ApiResult } from '@liminal/client/call-routes';
import { useFolderChanged, useRunningTurn, useSession } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';

/** What this session changed; read again when a turn ends and when the server saw the folder change. */
export function useChanges(): ApiResult<ChangesReply> | null {
  const { api } = useWorkbench();
  const { store } = useSession();
  const [reply, setReply] = useState<ApiResult<ChangesReply> | null>(null);
  const isRunning = useRunningTurn() !== null;
  const changedAt = useFolderChanged()?.at;
  useEffect(() => {
    let isWanted = true;
    void api.session.changes(store.sessionId, { scope: 'session' }).then((read) => {
      if (isWanted) setReply(read);
    });
    return () => {
      isWanted = false;
    };
  }, [api, store, isRunning, changedAt]);
  return reply;
}
