import {
  fail,
  ok,
  type CreateSessionReply,
  type ForkBody,
  type Result,
  type SessionInfo,
  type SessionPlace,
} from '@liminal/contracts';
import type { SessionRow, TurnRow } from '../../store/rows.ts';
import { answerOnce, attempt } from '../service/attempt.ts';
import type { OpenSession } from '../service/session-roster.ts';
import type { SessionServiceDeps } from '../service/session-service.ts';
import { namePlace, openPlace } from '../service/session-worktrees.ts';
import { copiedTurns, turnsOf } from './copied-turns.ts';
import { cutConversation, mayCut } from './cut-conversation.ts';

const mark = ' (fork)';
/** How many answers are kept for clients that retry. */
const keptForks = 200;

/** Sessions that continue from a turn of another session, which stays unchanged. */
export function createSessionForks(
  deps: Pick<SessionServiceDeps, 'roster' | 'places' | 'worktrees' | 'store' | 'writer' | 'now' | 'onWoken'>,
) {
  const { roster, places, worktrees, store, writer, now } = deps;
  const forkOnce = answerOnce<CreateSessionReply>(keptForks);

  /** The turns to keep, if the agent can keep exactly those. */
  const pointOf = async ({ shell, link }: OpenSession, turnId: string | undefined): Promise<Result<Point>> => {
    const decided = await shell.handle({ type: 'fork', turnId: turnId ?? null });
    if (!decided.ok) return decided;
    await writer.flush(shell.sessionId);
    const all = turnsOf(store, shell.sessionId);
    const kept = keptTurns(all, turnId);
    if (!kept.ok) return kept;
    const last = kept.value.at(-1);
    if (!last) return fail('TURN_NOT_FOUND', 'There is nothing to fork yet. Send a message first.');
    const isWhole = all.length === kept.value.length;
    const allowed = mayCut(link.provider, isWhole);
    return allowed.ok ? ok({ kept: kept.value, last, isWhole }) : allowed;
  };

  /** Where the copy works: in a worktree created for it, or (null) where its parent does. */
  const placeFor = async (parent: SessionRow, { place, clientSessionId }: ForkBody) => {
    if (place === undefined || place.kind === 'folder') {
      const there = await openPlace(worktrees, parent);
      return there.ok ? ok(null) : there;
    }
    const works = await places.read(parent);
    const branch = works?.kind === 'worktree' ? works.branch : null;
    const from = 'worktreeId' in place || branch === null ? place : { base: branch, ...place };
    return worktrees.choose(parent.projectId, from, clientSessionId);
  };

  const copyTo = async (
    opened: OpenSession,
    turnId: string | undefined,
    tree: SessionPlace | null,
  ): Promise<Result<CreateSessionReply>> => {
    const { shell, link } = opened;
    const { sessionId } = shell;
    const { provider } = link;
    // Again, because creating a worktree takes a while.
    const point = await pointOf(opened, turnId);
    if (!point.ok) return point;
    const { kept, last, isWhole } = point.value;
    const parent = shell.row();
    const options = roster.loadOptions(parent);
    // The current choices, even if the user never made them: a copy must not have more rights.
    const chosen = { ...parent.options, ...choicesOf(shell.info()) };
    const inherited = { ...options, providerOptions: { ...options.providerOptions, ...chosen } };
    const folder = tree?.folder;
    const forked = await cutConversation({ store, provider, sessionId, options: inherited, folder, last, isWhole });
    if (!forked.ok) return forked;
    const place = tree ?? parent.place;
    const row = forkedRow(parent, forked.value.sessionId, place, chosen, now());
    const copied = await copiedTurns(store, sessionId, row.sessionId, kept, now());
    await store.write([{ type: 'put-session', row }, ...copied]).catch(async (error: unknown) => {
      await provider.killSession(row.sessionId);
      throw error;
    });
    roster.add(row);
    if (tree?.worktreeId !== undefined) await worktrees.attach(tree.worktreeId, row.sessionId);
    deps.onWoken?.();
    const works = await places.read(row);
    const { cliType, projectId } = row;
    return ok({ sessionId: row.sessionId, cliType, projectId, ...(works && { place: works }) });
  };

  return {
    fork: (sessionId: string, body: ForkBody) =>
      forkOnce(body.clientSessionId, () =>
        roster.with<CreateSessionReply>(sessionId, async (opened) => {
          const parent = opened.shell.row();
          const allowed = roster.mayStart(parent);
          if (!allowed.ok) return allowed;
          const point = await pointOf(opened, body.turnId);
          if (!point.ok) return point;
          const placed = await placeFor(parent, body);
          if (!placed.ok) return placed;
          return namePlace(await attempt(() => copyTo(opened, body.turnId, placed.value)), placed.value);
        }),
      ),
  };
}

type Point = { readonly kept: readonly TurnRow[]; readonly last: TurnRow; readonly isWhole: boolean };

const hasEnded = ({ state }: TurnRow): boolean => state === 'completed' || state === 'cancelled' || state === 'failed';

/** The turns up to and including the named one, or the last that has ended. */
function keptTurns(all: readonly TurnRow[], turnId: string | undefined): Result<readonly TurnRow[], 'TURN_NOT_FOUND'> {
  const last = turnId === undefined ? all.findLastIndex(hasEnded) : all.findIndex((turn) => turn.turnId === turnId);
  if (turnId !== undefined && last < 0) return fail('TURN_NOT_FOUND', 'No turn of this session has this id.');
  return ok(all.slice(0, last + 1));
}

const choicesOf = ({ modeId, modelId, effort }: SessionInfo): SessionRow['options'] => ({
  ...(modeId && { modeId }),
  ...(modelId && { modelId }),
  ...(effort && { effort }),
});

function forkedRow(
  parent: SessionRow,
  sessionId: string,
  place: SessionRow['place'],
  options: SessionRow['options'],
  at: string,
): SessionRow {
  const { cliType, projectId, title, info } = parent;
  return {
    sessionId,
    cliType,
    projectId,
    ...(place && { place }),
    title: title.endsWith(mark) || title === '' ? title : `${title}${mark}`,
    titleSource: 'person',
    createdAt: at,
    updatedAt: at,
    archived: false,
    life: 'open',
    lastError: null,
    options,
    info,
  };
}
