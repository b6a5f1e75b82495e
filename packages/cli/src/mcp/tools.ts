import { randomUUID } from 'node:crypto';
import type { ListedSession, UpsertObject } from '@liminal/contracts';
import type { ApiResult } from '@liminal/client/call-routes';
import type { Client } from '@liminal/client/connect';
import { FollowError } from '@liminal/client/follow-session';
import { answerIn } from '../base/answer-in.ts';

export type ToolReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

export type ToolsDeps = {
  readonly client: Client;
  /** The folders it may use. */
  readonly folders: readonly string[];
  readonly processes: readonly number[];
  readonly insideAgent: boolean;
};

const failed = (message: string): ToolReply => ({ ok: false, message });
const mostText = 40_000;
const longestWaitMs = 600_000;

/** What `liminal mcp` offers an agent. Nothing here answers a permission request: those reach the user. */
export function createTools({ client, folders, processes, insideAgent }: ToolsDeps) {
  /** The last turn of each started session. Messages go only to these: another may have more rights than the caller. */
  const started = new Map<string, string>();
  const sendTo = async (sessionId: string, message: string): Promise<ToolReply> => {
    const sent = await client.open(sessionId).send(message, { clientMessageId: randomUUID() });
    if (!sent.ok) return failed(sent.failure.message);
    const { turnId } = sent.value;
    started.set(sessionId, turnId);
    return { ok: true, value: { sessionId, turnId } };
  };

  const sessions = async (scope: 'active' | 'all'): Promise<ApiResult<readonly ListedSession[]>> => {
    const reply = await client.project.list();
    if (!reply.ok) return reply;
    const mine = reply.value.projects.filter(({ dir }) => folders.includes(dir));
    const lists = await Promise.all(mine.map(({ projectId }) => client.session.list({ projectId, scope })));
    const failure = lists.find((list) => !list.ok);
    return failure ?? { ok: true, value: lists.flatMap((list) => (list.ok ? list.value.sessions : [])) };
  };
  const within = async (sessionId: string, use: () => Promise<ToolReply>): Promise<ToolReply> => {
    // Also one that the user has ended or archived: the agent that waits for it must learn that.
    const known = await sessions('all');
    if (!known.ok) return failed(known.failure.message);
    if (known.value.some((session) => session.sessionId === sessionId)) return use();
    return failed('No session in this project has that id. list_sessions shows them.');
  };

  return {
    async list(): Promise<ToolReply> {
      const found = await sessions('active');
      if (!found.ok) return failed(found.failure.message);
      const shown = found.value.map(({ sessionId, title, cliType, attention, updatedAt }) => ({
        sessionId,
        title,
        agent: cliType,
        attention,
        updatedAt,
        canSend: started.has(sessionId),
      }));
      return { ok: true, value: { sessions: shown } };
    },
    async start({
      agent,
      message,
      folder = folders[0] ?? '',
    }: {
      agent: string;
      message: string;
      folder?: string | undefined;
    }): Promise<ToolReply> {
      if (!folders.includes(folder)) return failed(`Sessions can be started only in ${folders.join(', ')}.`);
      const created = await client.session.create({
        cliType: agent,
        projectDir: folder,
        startedFrom: { processes: [...processes], insideAgent },
        clientSessionId: randomUUID(),
      });
      if (!created.ok) return failed(created.failure.message);
      const { sessionId } = created.value;
      return sendTo(sessionId, message);
    },
    async send({ sessionId, message }: { sessionId: string; message: string }): Promise<ToolReply> {
      if (!started.has(sessionId)) return failed('Messages can be sent only to sessions that you started yourself.');
      return sendTo(sessionId, message);
    },
    wait: ({ sessionId, seconds = 60 }: { sessionId: string; seconds?: number | undefined }) =>
      within(sessionId, async () => {
        const signal = AbortSignal.timeout(Math.min(seconds * 1000, longestWaitMs));
        try {
          const settled = await client.open(sessionId).settled(started.get(sessionId), { signal });
          const { progress } = settled;
          const asks = progress.state === 'waiting' ? progress.requests.map(({ title }) => title) : [];
          const note = asks.length > 0 ? 'The user has to answer in Liminal Builder. You can wait again.' : undefined;
          return { ok: true, value: { sessionId, state: progress.state, answer: answerIn(settled), asks, note } };
        } catch (error) {
          if (signal.aborted)
            return { ok: true, value: { sessionId, state: 'working', note: 'Still working. You can wait again.' } };
          if (error instanceof FollowError) return failed(error.failure.message);
          throw error;
        }
      }),
    read: ({ sessionId, turns = 3 }: { sessionId: string; turns?: number | undefined }) =>
      within(sessionId, async () => {
        const page = await client.session.history(sessionId, { limit: Math.min(turns, 20) });
        if (!page.ok) return failed(page.failure.message);
        const text = page.value.entries
          .map((entry) => lineOf(entry))
          .filter((line) => line !== '')
          .join('\n\n');
        return { ok: true, value: { sessionId, text: text.length > mostText ? `…${text.slice(-mostText)}` : text } };
      }),
    review: ({ sessionId, path }: { sessionId: string; path?: string | undefined }) =>
      within(sessionId, async () => {
        const scope = 'session' as const;
        if (path !== undefined) {
          const file = await client.session.changedFile(sessionId, { scope, path });
          return file.ok
            ? { ok: true, value: { path, patch: file.value.patch?.slice(0, mostText) } }
            : failed(file.failure.message);
        }
        const reply = await client.session.changes(sessionId, { scope });
        if (!reply.ok) return failed(reply.failure.message);
        const { files, notices, truncated } = reply.value;
        return { ok: true, value: { files, notices: notices.map(({ message }) => message), truncated } };
      }),
  };
}

export type Tools = ReturnType<typeof createTools>;

function lineOf(item: UpsertObject): string {
  if (item.type === 'message') return `${item.origin === 'agent' ? 'Agent' : 'User'}: ${item.content}`;
  return item.type === 'tool_call' ? `[${item.title ?? item.toolName}]` : '';
}
