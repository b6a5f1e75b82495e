import { useCallback, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { Image } from '@liminal/contracts';
import { useWorkbench } from '../workbench/use-workbench.ts';

/** The text of a session's draft, with what other parts of the page add to it. */
export function useDraft(sessionId: string): string {
  const { drafts } = useWorkbench();
  // Not read on every render: another tab of the browser may be writing its own text to the same storage.
  const [text, setText] = useState(() => drafts.read(sessionId));
  useLayoutEffect(() => drafts.subscribe(sessionId, () => setText(drafts.read(sessionId))), [drafts, sessionId]);
  return text;
}

/** The images of a session's draft. */
export function useDraftImages(sessionId: string): readonly Image[] {
  const { drafts } = useWorkbench();
  const subscribe = useCallback((listener: () => void) => drafts.subscribe(sessionId, listener), [drafts, sessionId]);
  return useSyncExternalStore(subscribe, () => drafts.images(sessionId));
}
