import { fail, ok, type CreateSessionReply, type ForkBody, type Result } from '@liminal/contracts';
import type { SessionRow, TurnRow } from '../../store/rows.ts';
import { attempt } from '../service/attempt.ts';
import type { SessionServiceDeps } from '../service/session-service.ts';
import { copiedTurns, turnsOf } from './copied-turns.ts';
import { cutConversation } from './cut-conversation.ts';

const mark = ' (fork)';

/** Sessions that go on from a turn of another one, which stays as it was. */
export function createSessionForks(
  deps: Pick<SessionServiceDeps, 'roster' | 'places' | 'store' | 'writer' | 'now' | 'onWoken'>,
) {
  const { roster, places, store, writer, now } = deps;

  return {
    fork: (sessionId: string, { turnId }: ForkBody) =>
      attempt(() =>
        roster.with<CreateSessionReply>(sessionId, async ({ shell, link }) => {
          const { provider } = link;
          const parent = shell.row();
          const allowed = roster.mayStart(parent);
          if (!allowed.ok) return allowed;
          const decided = await shell.handle({ type: 'fork', turnId: turnId ?? null });
          if (!decided.ok) return decided;
          await writer.flush(sessionId);
          const all = turnsOf(store, sessionId);
          const kept = keptTurns(all, turnId);
          if (!kept.ok) return kept;
          const last = kept.value.at(-1);
          if (!last) return fail('TURN_NOT_FOUND', 'There is nothing to fork yet. Send a message first.');
          const options = roster.loadOptions(parent);
          // The mode it works in now, which the person may never have chosen: a copy must not have another.
          const { modeId = parent.options.modeId, modelId = parent.options.modelId } = shell.info();
          const chosen = { ...parent.options, ...(modeId && { modeId }), ...(modelId && { modelId }) };
          const inherited = { ...options, providerOptions: { ...options.providerOptions, ...chosen } };
          const isWhole = all.length === kept.value.length;
          const forked = await cutConversation({ store, provider, sessionId, options: inherited, last, isWhole });
          if (!forked.ok) return forked;
          const row = forkedRow(parent, forked.value.sessionId, chosen, now());
          const copied = copiedTurns(store, sessionId, row.sessionId, kept.value, now());
          await store.write([{ type: 'put-session', row }, ...copied]).catch(async (error: unknown) => {
            await provider.killSession(row.sessionId);
            throw error;
          });
          roster.add(row);
          deps.onWoken?.();
          const place = await places.read(row);
          const { cliType, projectId } = row;
          return ok({ sessionId: row.sessionId, cliType, projectId, ...(place && { place }) });
        }),
      ),
  };
}

const hasEnded = ({ state }: TurnRow): boolean => state === 'completed' || state === 'cancelled' || state === 'failed';

/** The turns up to and with the one that is named, or the last that has ended. */
function keptTurns(all: readonly TurnRow[], turnId: string | undefined): Result<readonly TurnRow[], 'TURN_NOT_FOUND'> {
  const last = turnId === undefined ? all.findLastIndex(hasEnded) : all.findIndex((turn) => turn.turnId === turnId);
  if (turnId !== undefined && last < 0) return fail('TURN_NOT_FOUND', 'No turn of this session has this id.');
  return ok(all.slice(0, last + 1));
}

function forkedRow(parent: SessionRow, sessionId: string, options: SessionRow['options'], at: string): SessionRow {
  const { cliType, projectId, place, title, info } = parent;
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
