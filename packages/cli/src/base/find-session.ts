import type { ListedSession } from '@liminal/contracts';
import type { LightClient } from '@liminal/client/connect-light';
import type { ApiResult } from '@liminal/client/exchange';

/** Agents' ids are at least this long. Anything shorter is a prefix. */
const wholeLength = 32;

/** Every session of every project, most recently changed first. */
export async function allSessions(client: LightClient, projectId?: string): Promise<ApiResult<ListedSession[]>> {
  const listed = projectId === undefined ? await client.project.list() : null;
  if (listed !== null && !listed.ok) return listed;
  const projectIds =
    projectId === undefined ? (listed?.value.projects ?? []).map((each) => each.projectId) : [projectId];
  const replies = await Promise.all(projectIds.map((id) => client.session.list({ projectId: id, scope: 'all' })));
  const sessions: ListedSession[] = [];
  for (const reply of replies) {
    if (!reply.ok) return reply;
    sessions.push(...reply.value.sessions);
  }
  return { ok: true, value: sessions.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt)) };
}

const refused = (code: string, message: string): ApiResult<never> => ({ ok: false, failure: { code, message } });

/** The session for a complete id or a unique prefix. */
export async function findSession(client: LightClient, given: string): Promise<ApiResult<string>> {
  if (given.length >= wholeLength) return { ok: true, value: given };
  const all = await allSessions(client);
  if (!all.ok) return all;
  const exact = all.value.find(({ sessionId }) => sessionId === given);
  const found = exact ? [exact] : all.value.filter(({ sessionId }) => sessionId.startsWith(given));
  if (found.length > 1)
    return refused('AMBIGUOUS', `${found.length} sessions begin with "${given}". Give more of the id.`);
  const [session] = found;
  if (!session) return refused('SESSION_NOT_FOUND', `No session begins with "${given}". \`liminal ls\` lists them.`);
  return { ok: true, value: session.sessionId };
}
