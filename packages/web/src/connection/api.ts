import * as contracts from '@liminal/contracts';
import type {
  CreateSessionBody,
  LoadSessionBody,
  PermissionAnswer,
  PreferencesBody,
  PrepareSessionBody,
  SendBody,
  Workspace,
} from '@liminal/contracts';
import { type PageFetch, signIn } from './page-secret.ts';

/** What went wrong, in the server's own words where it answered; `UNREACHABLE` where it did not. */
export type ApiFailure = { readonly code: string; readonly message: string };
export type ApiResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ApiFailure };

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Schema<T> = { safeParse(data: unknown): { success: true; data: T } | { success: false } };
type More = Pick<RequestInit, 'keepalive' | 'signal'>;
type Send = <T>(method: Method, path: string, schema: Schema<T>, body?: unknown, more?: More) => Promise<ApiResult<T>>;

const refused = (code: string, message: string): { ok: false; failure: ApiFailure } => ({
  ok: false,
  failure: { code, message },
});

async function readBody(reply: Response): Promise<unknown> {
  const text = await reply.text();
  return text === '' ? {} : JSON.parse(text);
}

function sender(fetch: PageFetch, onUnauthorized: () => void): Send {
  return async (method, path, schema, body, more) => {
    let reply: Response;
    try {
      reply = await fetch(path, {
        method,
        ...more,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
    } catch {
      return refused(
        'UNREACHABLE',
        'The server does not answer. It may have stopped; this page tries again by itself.',
      );
    }
    const data = await readBody(reply).catch(() => null);
    if (!reply.ok) {
      const failure = contracts.FailureReply.safeParse(data).data?.error;
      if (reply.status === 401) onUnauthorized();
      return refused(
        failure?.code ?? `HTTP_${reply.status}`,
        failure?.message ?? `The server answered ${reply.status}.`,
      );
    }
    const parsed = schema.safeParse(data);
    return parsed.success
      ? { ok: true, value: parsed.data }
      : refused('UNREADABLE', 'The server answered something this page does not understand. Reload the page.');
  };
}

const signInFailures = {
  refused: 'That token is wrong. Copy it again from the terminal.',
  slowed: 'Too many wrong tokens were tried. Wait a few seconds, then try again.',
  unreachable: 'The server does not answer. Check that it still runs, then try again.',
};

const id = encodeURIComponent;
const nothing = contracts.Done.loose();

/** Every command and question of the page, typed by the contracts; a failure is a value, never thrown. */
export function createApi(
  fetch: PageFetch,
  onUnauthorized: () => void = () => {},
  keepSecret: (secret: string) => void = () => {},
) {
  const send = sender(fetch, onUnauthorized);
  const session = (sessionId: string): string => `/api/session/${id(sessionId)}`;
  return {
    health: () => send('GET', '/api/health', contracts.HealthReply),
    providers: () => send('GET', '/api/providers', contracts.ProvidersReply),
    projects: () => send('GET', '/api/projects', contracts.ProjectsReply),
    /** Goes on here with a session whose machine is gone. */
    takeOver: (sessionId: string) => send('POST', `${session(sessionId)}/takeover`, contracts.CreateSessionReply),
    addProject: (dir: string) => send('POST', '/api/projects', contracts.Project, { dir }),
    removeProject: (projectId: string) => send('DELETE', `/api/projects/${id(projectId)}`, nothing),
    trustProject: (projectId: string, trusted: boolean) =>
      send('POST', `/api/projects/${id(projectId)}/trust`, nothing, { trusted }),
    /** The folders in a folder, and those that were added lately; the home folder when none is named. */
    folders: (path: string, prefix = '', signal: AbortSignal | null = null) => {
      const query = new URLSearchParams({ ...(path !== '' && { path }), ...(prefix !== '' && { prefix }) });
      return send('GET', `/api/folders?${query}`, contracts.FoldersReply, undefined, { signal });
    },
    /** Files of the project that fit what was typed. */
    files: (projectId: string, q: string, signal: AbortSignal | null = null) =>
      send('GET', `/api/projects/${id(projectId)}/files?q=${id(q)}&limit=12`, contracts.FilesReply, undefined, {
        signal,
      }),
    workspace: () => send('GET', '/api/workspace', contracts.Workspace),
    /** `leaving`: the page is going, and the request has to outlive it. */
    saveWorkspace: (workspace: Workspace, leaving = false) =>
      send('PUT', '/api/workspace', nothing, workspace, { keepalive: leaving }),
    preferences: () => send('GET', '/api/preferences', contracts.Preferences),
    savePreferences: (body: PreferencesBody) => send('PUT', '/api/preferences', nothing, body),
    /** Lets this browser in with the token; null when it worked, else a sentence. */
    async signIn(token: string): Promise<string | null> {
      const signedIn = await signIn(fetch, token);
      if (!signedIn.ok) return signInFailures[signedIn.reason];
      keepSecret(signedIn.secret);
      return null;
    },
    /** A new token for everybody; this browser stays in by the secret that comes with the answer. */
    async rotateToken() {
      const reply = await send('POST', '/api/token/rotate', contracts.RotateTokenReply);
      if (reply.ok && reply.value.secret !== undefined) keepSecret(reply.value.secret);
      return reply;
    },
    search: (q: string, limit: number, signal: AbortSignal | null = null) =>
      send('GET', `/api/search?q=${id(q)}&limit=${limit}`, contracts.SearchReply, undefined, { signal }),
    discover: (projectId: string) =>
      send('GET', `/api/session/discover?projectId=${id(projectId)}`, contracts.DiscoverReply),
    startDemo: () => send('POST', '/api/demo', contracts.CreateSessionReply),
    create: (body: CreateSessionBody) => send('POST', '/api/session/create', contracts.CreateSessionReply, body),
    /** A person is about to choose this agent: it may begin now. */
    prepare: (body: PrepareSessionBody) => send('POST', '/api/session/prepare', contracts.PrepareSessionReply, body),
    load: (sessionId: string, body: LoadSessionBody = {}) =>
      send('POST', `${session(sessionId)}/load`, contracts.LoadSessionReply, body),
    send: (sessionId: string, body: SendBody) => send('POST', `${session(sessionId)}/send`, contracts.SendReply, body),
    rename: (sessionId: string, title: string) => send('PATCH', session(sessionId), nothing, { title }),
    archive: (sessionId: string, archived: boolean) => send('PATCH', session(sessionId), nothing, { archived }),
    remove: (sessionId: string) => send('DELETE', session(sessionId), nothing),
    cancel: (sessionId: string) => send('POST', `${session(sessionId)}/cancel`, nothing),
    kill: (sessionId: string) => send('POST', `${session(sessionId)}/kill`, nothing),
    answer: (sessionId: string, answer: PermissionAnswer) =>
      send('POST', `${session(sessionId)}/permission`, nothing, answer),
    /** Every decision that was taken in the session. */
    audit: (sessionId: string) => send('GET', `${session(sessionId)}/audit`, contracts.AuditReply),
    editQueued: (sessionId: string, turnId: string, content: string) =>
      send('PATCH', `${session(sessionId)}/queue/${id(turnId)}`, nothing, { content }),
    /** The images of a message that waits, to be put back where it was written. */
    queuedImages: (sessionId: string, turnId: string) =>
      send('GET', `${session(sessionId)}/queue/${id(turnId)}/images`, contracts.QueuedImages),
    withdraw: (sessionId: string, turnId: string) =>
      send('DELETE', `${session(sessionId)}/queue/${id(turnId)}`, nothing),
    /** Sends a message again of which nobody knows whether it arrived. */
    resend: (sessionId: string, turnId: string) =>
      send('POST', `${session(sessionId)}/queue/${id(turnId)}/resend`, contracts.SendReply),
    history: (sessionId: string, before: string, limit: number) =>
      send('GET', `${session(sessionId)}/history?before=${id(before)}&limit=${limit}`, contracts.HistoryReply),
    setModel: (sessionId: string, modelId: string) => send('POST', `${session(sessionId)}/model`, nothing, { modelId }),
    /** `confirm`: the person has read what a mode means in which nobody is asked. */
    setMode: (sessionId: string, modeId: string, confirm = false) =>
      send('POST', `${session(sessionId)}/mode`, nothing, { modeId, ...(confirm && { confirm }) }),
    setEffort: (sessionId: string, effort: string) => send('POST', `${session(sessionId)}/effort`, nothing, { effort }),
    /** The whole output of a tool call, of which the timeline may hold only a part. */
    async output(sessionId: string, itemId: string): Promise<ApiResult<string>> {
      try {
        const reply = await fetch(`${session(sessionId)}/items/${id(itemId)}/output`);
        return reply.ok
          ? { ok: true, value: await reply.text() }
          : refused(`HTTP_${reply.status}`, 'The whole output is not kept any more.');
      } catch {
        return refused('UNREACHABLE', 'The server does not answer.');
      }
    },
  };
}
export type Api = ReturnType<typeof createApi>;
