import { useEffect, useState } from 'react';
import type { RewindPlanReply, RewindReply, SentMessage } from '@liminal/contracts';
import type { ApiResult } from '@liminal/client/call-routes';
import { useLateFailure, useWorkbench } from '../../state/workbench/use-workbench.ts';

export type Rewind = ReturnType<typeof useRewind>;

/** The plan of a rewind, the rewind itself, or a fork instead. */
export function useRewind(sessionId: string, turnId: string, text: string, onClose: () => void) {
  const { api, drafts, panels, showWhenReady } = useWorkbench();
  const reportLate = useLateFailure();
  const [plan, setPlan] = useState<RewindPlanReply | null>(null);
  const [message, setMessage] = useState<SentMessage>({ content: text, images: [], mentions: [] });
  const [done, setDone] = useState<RewindReply | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [also, setAlso] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    let isWanted = true;
    const read = async (): Promise<void> => {
      const [planned, sent] = await Promise.all([
        api.session.planRewind(sessionId, { turnId }),
        api.session.sentMessage(sessionId, turnId),
      ]);
      if (!isWanted) return;
      if (sent.ok) setMessage(sent.value);
      if (planned.ok) setPlan(planned.value);
      else setFailure(planned.failure.message);
    };
    void read();
    return () => {
      isWanted = false;
    };
  }, [api, sessionId, turnId]);

  const ask = async <T>(asked: Promise<ApiResult<T>>, failed: string): Promise<T | null> => {
    setBusy(true);
    const reply = await asked;
    setBusy(false);
    setFailure(reply.ok ? null : reply.failure.message);
    if (!reply.ok) reportLate(failed, reply.failure);
    return reply.ok ? reply.value : null;
  };

  return {
    plan,
    message,
    done,
    failure,
    isBusy,
    also,
    toggle: (path: string): void =>
      setAlso((chosen) => new Set(chosen.has(path) ? [...chosen].filter((each) => each !== path) : [...chosen, path])),
    async rewind({ planId }: RewindPlanReply): Promise<void> {
      const rewound = await ask(
        api.session.rewind(sessionId, { turnId, planId, also: [...also] }),
        "Couldn't rewind the session.",
      );
      if (rewound === null) return;
      setDone(rewound);
      const { content, images, mentions } = message;
      if (content !== '' || images.length > 0) panels.insert.set({ sessionId, text: content, images, mentions });
    },
    async undo(rewindId: string): Promise<void> {
      const undone = await ask(api.session.undoRewind(sessionId, { rewindId }), "Couldn't undo the rewind.");
      if (undone !== null) onClose();
    },
    /** The fork ends where this session would; the message waits in its composer. */
    async fork(lastTurnId: string): Promise<void> {
      const show = showWhenReady();
      const forked = await ask(api.session.fork(sessionId, { turnId: lastTurnId }), "Couldn't fork the session.");
      if (forked === null) return;
      drafts.add(forked.sessionId, message.content);
      drafts.keepImages(forked.sessionId, message.images);
      for (const path of message.mentions) drafts.mentions(forked.sessionId).add(path);
      onClose();
      show(forked.sessionId);
    },
  };
}
