import {
  fail,
  ok,
  type HistoryPage,
  type HistoryQuery,
  type ImageFile,
  type ImageQuery,
  type ListedSession,
  type ListSessionsQuery,
  type QueuedMessage,
  type Result,
  type SessionSummary,
  type ToolCallUpsert,
} from '@liminal/contracts';
import { attentionOf } from '@liminal/domain/session/attention';
import { queuedMessage } from '@liminal/domain/session/changes-from';
import { readImage } from '../../files/read-image.ts';
import type { SessionServiceDeps } from './session-service.ts';

const pageTurns = 100;

/** Reads sessions. Nothing here starts an agent or changes anything. */
export function createSessionReading({ store, roster, projects, places, directory, historyBytes }: SessionServiceDeps) {
  return {
    async list({ projectId, scope = 'all' }: ListSessionsQuery): Promise<Result<{ sessions: ListedSession[] }>> {
      if (!projectId) return fail('PROJECT_ID_REQUIRED', 'Name the project: ?projectId=…');
      const project = projects.get(projectId);
      if (!project.ok) return project;
      const all = directory.all().filter((summary) => summary.projectId === projectId);
      const wanted = scope === 'active' ? all.filter((summary) => summary.status !== 'dead' && !summary.archived) : all;
      return ok({ sessions: await places.withBranches(listed(wanted)) });
    },

    async status(sessionId: string) {
      return roster.with(sessionId, async ({ shell }) => {
        const place = await places.read(shell.row());
        return ok({
          sessionId,
          cliType: shell.row().cliType,
          ...shell.status(),
          attention: attentionOf(shell.summary()).kind,
          ...(place && { place }),
        });
      });
    },

    queue: (sessionId: string) =>
      roster.with<{ queue: QueuedMessage[] }>(sessionId, async ({ shell }) =>
        ok({ queue: shell.session().queue.map(queuedMessage) }),
      ),

    history: (sessionId: string, page: HistoryQuery) =>
      roster.with<HistoryPage>(sessionId, async ({ shell }) => {
        const before = page.before === undefined ? null : shell.pages.positionOf(page.before);
        if (before === undefined || (before === null && page.before !== undefined))
          return fail('TURN_NOT_FOUND', 'No turn has the id given in "before".');
        const maxBytes = page.limit === undefined ? historyBytes : Infinity;
        return ok(shell.pages.read(before, page.limit ?? pageTurns, maxBytes));
      }),

    output: (sessionId: string, itemId: string) =>
      roster.with<string>(sessionId, async ({ shell }) => {
        const item = shell.items.find(itemId);
        const whole = item?.type === 'message' ? undefined : store.output(sessionId, itemId);
        if (whole !== undefined) return ok(whole);
        if (item?.type !== 'tool_call' || item.toolOutput === undefined)
          return fail('ITEM_NOT_FOUND', 'This item has no output.');
        const isWritten = shell.items.newest(itemId) === undefined;
        return isWritten && wasShortened(item)
          ? fail('ITEM_NOT_FOUND', 'The full output is no longer stored.')
          : ok(item.toolOutput);
      }),

    image: (sessionId: string, { path }: ImageQuery) =>
      roster.with<ImageFile>(sessionId, async ({ shell }) => {
        const project = places.project(shell.row());
        return project.ok ? readImage(project.value.dir, path) : project;
      }),

    capabilities: (sessionId: string) =>
      roster.with(sessionId, async ({ shell, link }) =>
        ok({ capabilities: link.provider.capabilities, info: shell.info() }),
      ),

    audit: (sessionId: string) =>
      roster.with(sessionId, async () => ok({ decisions: [...store.decisions(sessionId)] })),
  };
}

/** As the list route returns them: newest first, each with what it needs from the user. */
export const listed = (sessions: readonly SessionSummary[]): ListedSession[] =>
  sessions
    .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
    .map((summary) => ({ ...summary, attention: attentionOf(summary).kind }));

/** A finished call's full output is on disk before its item is; a running one has none there yet. */
const wasShortened = ({ status, toolOutputLength }: ToolCallUpsert): boolean =>
  toolOutputLength !== undefined && (status === 'complete' || status === 'error');
