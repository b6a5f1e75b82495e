import { type CreateSessionReply, fail, ok, type Result, type SessionExport } from '@liminal/contracts';
import type { SessionRow } from '../../store/rows.ts';
import { attempt } from './attempt.ts';
import type { SessionServiceDeps } from './session-service.ts';

/** Imports sessions that were exported as JSON. They can be read and searched; no agent can continue them. */
export function createSessionImport({ store, roster, projects, now, newId }: SessionServiceDeps) {
  return {
    importSession: (projectId: string, { session, turns }: SessionExport): Promise<Result<CreateSessionReply>> =>
      attempt(async () => {
        const project = projects.get(projectId);
        if (!project.ok) return project;
        const turnIds = new Set(turns.map(({ turn }) => turn.turnId));
        const itemIds = new Set(turns.flatMap(({ items }) => items.map(({ itemId }) => itemId)));
        const count = turns.reduce((sum, { items }) => sum + items.length, 0);
        const isConsistent = turns.every(({ turn, items }) => items.every(({ turnId }) => turnId === turn.turnId));
        if (turnIds.size !== turns.length || itemIds.size !== count || !isConsistent)
          return fail('INVALID_REQUEST', "This file isn't a complete export: its turns and items don't match.");
        const sessionId = `imported-${newId()}`;
        const { cliType, title } = session;
        const row: SessionRow = {
          sessionId,
          cliType,
          projectId,
          title,
          titleSource: 'person',
          createdAt: now(),
          updatedAt: now(),
          archived: false,
          life: 'dead',
          lastError: null,
          imported: true,
          options: {},
          info: title === '' ? {} : { title },
        };
        await store.write([{ type: 'put-session', row }]);
        const { shell } = roster.add(row);
        const entries = turns.flatMap(({ items }) => items.map((item) => ({ upsert: { ...item, sessionId } })));
        await shell.merge({ turns: turns.map(({ turn }) => turn), entries });
        return ok({ sessionId, cliType, projectId });
      }),
  };
}
