import type { PatchSessionBody, SessionMarks } from '@liminal/contracts';
import { isoTime } from '@liminal/domain/time/iso-time';

/** The marks after a change. Unset marks are omitted, to keep rows small. */
export function marksAfter(
  marks: SessionMarks = {},
  { seen, unread, pinned, snoozed }: PatchSessionBody,
  attentionKey: string,
): SessionMarks {
  const next = {
    ...marks,
    ...(seen !== undefined && { seen, unread: false }),
    ...(unread !== undefined && { unread }),
    ...(pinned !== undefined && { pinned }),
    ...(snoozed && {
      snoozed: { until: snoozed.until === 'change' ? null : isoTime(Date.parse(snoozed.until)), key: attentionKey },
    }),
  };
  const { unread: isUnread, pinned: isPinned, snoozed: held, ...rest } = next;
  return {
    ...rest,
    ...(isUnread === true && { unread: true }),
    ...(isPinned === true && { pinned: true }),
    ...(held !== undefined && snoozed !== null && { snoozed: held }),
  };
}

/** Several pages may report the same item as seen: the second report writes nothing. */
export const isMarked = (marks: SessionMarks = {}, { seen, ...rest }: PatchSessionBody): boolean =>
  seen !== undefined && seen === marks.seen && marks.unread !== true && Object.keys(rest).length === 0;
