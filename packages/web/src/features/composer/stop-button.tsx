import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { usePermissions, useRunningTurn, useSession } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Stops the turn, and shows it at once. Escape does the same, unless a permission request is open. */
export function StopButton({ onFailure }: { readonly onFailure: (message: string) => void }): ReactNode {
  const { store, isActive } = useSession();
  const { api } = useWorkbench();
  const isAsked = usePermissions().length > 0;
  const turnId = useRunningTurn()?.turnId ?? '';
  const [stoppedTurn, setStoppedTurn] = useState<string | null>(null);
  const isStopping = stoppedTurn === turnId;

  const stop = useCallback(async (): Promise<void> => {
    setStoppedTurn(turnId);
    const reply = await api.session.cancel(store.sessionId);
    if (reply.ok) return;
    setStoppedTurn(null);
    onFailure(reply.failure.message);
  }, [api, store, turnId, onFailure]);

  useEffect(() => {
    if (!isActive) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || isAsked || turnId === '') return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      if (!isStopping) void stop();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [stop, isActive, isAsked, isStopping, turnId]);

  return (
    <Button disabled={isStopping} onClick={() => void stop()}>
      <Icon name="stop" size={12} />
      <span className="stop-label">{isStopping ? 'Stopping…' : 'Stop'}</span>
      {!isAsked && !isStopping && <kbd className="key-hint">Esc</kbd>}
    </Button>
  );
}
