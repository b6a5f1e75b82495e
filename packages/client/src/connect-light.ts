import type { RouteCalls } from './call-routes.ts';
import type { Client, ClientSession } from './connect.ts';
import { type ApiResult, failureIn, programSentences, readJson, refused } from './exchange.ts';
import { isObject, isText, type Loose } from './message-shapes.ts';
import { readProgress } from './read-progress.ts';
import { type ConnectOptions, linkServer, untilSettled } from './server-link.ts';

/** Lists sessions and waits for them. Every `Client` can do this too. */
export type LightClient = Pick<Client, 'address'> & {
  readonly project: Pick<RouteCalls['project'], 'list'>;
  readonly session: Pick<RouteCalls['session'], 'list' | 'status'>;
  open(sessionId: string): Pick<ClientSession, 'sessionId' | 'settled'>;
};

const hasTexts = (value: unknown, names: readonly string[]): value is Loose =>
  isObject(value) && names.every((name) => isText(value[name]));
const hasList = (value: unknown, list: string, names: readonly string[]): boolean =>
  isObject(value) && Array.isArray(value[list]) && value[list].every((each) => hasTexts(each, names));

const isProjects = (value: unknown): boolean => hasList(value, 'projects', ['projectId', 'dir', 'name']);
const isSessions = (value: unknown): boolean =>
  hasList(value, 'sessions', ['sessionId', 'cliType', 'projectId', 'title', 'updatedAt', 'attention']);
const isStatus = (value: unknown): boolean => hasTexts(value, ['sessionId', 'state', 'activity']);

/** Makes one GET request without following redirects. Rejects if nobody answers. */
export type GetText = (address: URL, headers: Record<string, string>) => Promise<{ status: number; text: string }>;

/**
 * A client for programs that must start fast: loading all schemas takes longer than their few requests. It validates
 * only the parts of a reply that such a program reads.
 */
export function connectLight(options: ConnectOptions, getText: GetText): LightClient {
  const { address, authorization, follow } = linkServer(options);
  const ask = async <T>(path: string, isReply: (value: unknown) => boolean): Promise<ApiResult<T>> => {
    const reply = await getText(new URL(path, address), { authorization }).catch(() => null);
    if (reply === null) return refused('UNREACHABLE', programSentences.unreachable);
    if (reply.status !== 200) return failureIn(reply.status, reply.text, programSentences);
    const value = readJson(reply.text);
    return isReply(value) ? { ok: true, value: value as T } : refused('UNREADABLE', programSentences.unreadable);
  };
  const session: LightClient['session'] = {
    list: ({ projectId = '', scope = 'active' }) =>
      ask(`api/session/list?projectId=${encodeURIComponent(projectId)}&scope=${scope}`, isSessions),
    status: (sessionId) => ask(`api/session/${encodeURIComponent(sessionId)}/status`, isStatus),
  };
  const deps = { api: { session }, read: readProgress };
  return {
    address,
    project: { list: () => ask('api/projects', isProjects) },
    session,
    open: (sessionId) => ({
      sessionId,
      settled: (turnId, following) => untilSettled(follow(deps, sessionId, following), turnId, following),
    }),
  };
}
