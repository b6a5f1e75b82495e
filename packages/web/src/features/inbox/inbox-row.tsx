import { memo, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { OpenAsk, PermissionOption, SessionSummary } from '@liminal/contracts';
import { attentionOf, failedTurnOf } from '@liminal/domain/session/attention';
import { sinceOf } from '@liminal/domain/session/inbox';
import { showHidden } from '@liminal/domain/text/visible-text';
import type { AnswerGuard } from '../../state/sessions/answer-guard.ts';
import { titleOf } from '../../state/sessions/titles.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { formatAgo } from '../../ui/format.ts';
import { MenuButton, MenuList } from '../../ui/menu.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { describeRow } from './describe-row.tsx';
import { FollowUp } from './follow-up.tsx';

type InboxRowProps = {
  readonly session: SessionSummary;
  readonly project: string;
  readonly agent: string;
  /** The time, rounded to half a minute: a row is redrawn with it, and when its session changes. */
  readonly minute: number;
  readonly mayAnswer: AnswerGuard;
};

/** Keys pressed before a request appeared must not answer it. */
const quietMs = 1000;

/** Only options for this one request can be chosen without opening the session. */
const inPlace = ({ whole, options }: OpenAsk): readonly PermissionOption[] =>
  whole === undefined ? [] : options.filter(({ kind }) => kind === 'allow_once' || kind === 'reject_once');

/** One session in the inbox: what it needs, and the actions that don't require opening it. */
export const InboxRow = memo(({ session, project, agent, minute, mayAnswer }: InboxRowProps): ReactNode => {
  const { api, failures, marking, retryTurn, reviews, tabs } = useWorkbench();
  const { sessionId, asks, marks = {} } = session;
  const attention = attentionOf(session);
  const [isWriting, setWriting] = useState(false);
  const [snoozeAt, setSnoozeAt] = useState<{ x: number; y: number } | null>(null);
  const row = useRef<HTMLLIElement>(null);
  const isReady = useReady(asks?.requestId);
  const options = attention.kind === 'needs-you' && asks !== undefined ? inPlace(asks) : [];
  // The same key as on the request's card, which also counts options that aren't shown here.
  const keyOf = (option: PermissionOption): string => String((asks?.options ?? []).indexOf(option) + 1);
  const title = titleOf(session);

  const answer = async (option: PermissionOption): Promise<void> => {
    if (asks === undefined || !mayAnswer(asks.requestId)) return;
    const reply = await api.session.answer(sessionId, { requestId: asks.requestId, optionId: option.optionId });
    if (!reply.ok) failures.report(`“${title}” was not answered.`, reply.failure);
  };
  const snooze = (): void => {
    const box = row.current?.getBoundingClientRect();
    setSnoozeAt({ x: (box?.right ?? 240) - 240, y: box?.bottom ?? 0 });
  };
  const isUnread = attention.kind === 'done' || (attention.kind === 'failed' && !attention.isSeen);
  const retried = attention.kind === 'failed' ? failedTurnOf(session) : null;
  const retry = (): void => {
    if (retried !== null && mayAnswer(retried)) void retryTurn(sessionId, retried);
  };
  const actions = [
    ...(retried === null ? [] : [{ label: 'Retry', hint: 'R', key: 'r', onChoose: retry }]),
    { label: 'Follow up', hint: 'F', key: 'f', onChoose: () => setWriting(true) },
    {
      label: marks.pinned ? 'Unpin' : 'Pin',
      hint: 'P',
      key: 'p',
      onChoose: () => marking.pin(sessionId, !marks.pinned),
    },
    { label: 'Snooze…', hint: 'S', key: 's', onChoose: snooze },
    isUnread
      ? { label: 'Mark as read', hint: 'U', key: 'u', onChoose: () => marking.markRead(sessionId) }
      : { label: 'Mark as unread', hint: 'U', key: 'u', onChoose: () => marking.markUnread(sessionId) },
  ];
  const onKeyDown = (event: KeyboardEvent): void => {
    const isOwn = event.target instanceof HTMLElement && event.target.matches('.inbox-row button');
    if (!isOwn || event.altKey || event.ctrlKey || event.metaKey) return;
    const option = options.find((each) => keyOf(each) === event.key);
    const action = actions.find(({ key }) => key === event.key);
    if (option === undefined && action === undefined) return;
    event.preventDefault();
    if (action !== undefined) action.onChoose();
    else if (option !== undefined && isReady) void answer(option);
  };

  return (
    <li ref={row} className={`inbox-row inbox-row-${attention.kind}`} onKeyDown={onKeyDown}>
      <span className="inbox-status">
        <StatusBadge status={attention.kind} />
      </span>
      <button type="button" className="inbox-open" onClick={() => tabs.show(sessionId)}>
        {describeRow(session, attention, { title, project, agent })}
      </button>
      <span className="inbox-time">{formatAgo(sinceOf(session), minute)}</span>
      <span className="inbox-actions">
        {attention.kind === 'done' && attention.changed !== undefined ? (
          <Button
            tabIndex={-1}
            onClick={() => {
              tabs.show(sessionId);
              reviews.open(sessionId);
            }}
          >
            Review
          </Button>
        ) : (
          <Button tabIndex={-1} onClick={() => tabs.show(sessionId)}>
            Open
          </Button>
        )}
        {retried !== null && (
          <Button aria-keyshortcuts="R" onClick={retry}>
            Retry <kbd className="key-hint">R</kbd>
          </Button>
        )}
        {options.map((option) => (
          <Button
            key={option.optionId}
            look={option.kind === 'allow_once' ? 'primary' : 'plain'}
            aria-keyshortcuts={keyOf(option)}
            onClick={() => void answer(option)}
          >
            {showHidden(option.name)} <kbd className="key-hint">{keyOf(option)}</kbd>
          </Button>
        ))}
        <MenuButton label={`More actions for ${title}`} items={actions} />
      </span>
      {isWriting && (
        <FollowUp
          sessionId={sessionId}
          title={title}
          onDone={() => {
            setWriting(false);
            row.current?.querySelector<HTMLElement>('.inbox-open')?.focus();
          }}
        />
      )}
      {snoozeAt !== null && (
        <MenuList
          label={`Snooze ${title}`}
          at={snoozeAt}
          onClose={() => setSnoozeAt(null)}
          items={snoozeChoices(minute).map(({ label, until, notice }) => ({
            label,
            onChoose: () => marking.snooze(sessionId, until, notice),
          }))}
        />
      )}
    </li>
  );
});

/** Whether the request was visible long enough for a key to be meant for it. */
function useReady(requestId: string | undefined): boolean {
  const [ready, setReady] = useState<string | undefined>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => setReady(requestId), quietMs);
    return () => clearTimeout(timer);
  }, [requestId]);
  return requestId !== undefined && ready === requestId;
}

/** `until` is an ISO time or `change`. */
type SnoozeChoice = { readonly label: string; readonly until: string; readonly notice: string };

const hourMs = 3_600_000;
const morning = 9;

/** Nine in the morning, this many days from now, in the user's time zone. */
function morningIn(days: number, now: number): string {
  const at = new Date(now);
  at.setDate(at.getDate() + days);
  at.setHours(morning, 0, 0, 0);
  return at.toISOString();
}

/** For how long a session can be snoozed. */
const snoozeChoices = (now: number): readonly SnoozeChoice[] => [
  { label: 'Until it changes', until: 'change', notice: 'Snoozed until it changes.' },
  { label: 'For an hour', until: new Date(now + hourMs).toISOString(), notice: 'Snoozed for an hour.' },
  { label: 'Until tomorrow, 9:00', until: morningIn(1, now), notice: 'Snoozed until tomorrow.' },
  { label: 'For a week', until: morningIn(7, now), notice: 'Snoozed for a week.' },
];
