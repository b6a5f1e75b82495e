import {
  ImageFile,
  requestOf,
  routes,
  type CallArguments,
  type Route,
  type RouteReply,
  type Routes,
} from '@liminal/contracts';
import {
  type ApiResult,
  type CallDeps,
  type CallSentences,
  exchange,
  programSentences,
  readJson,
  refused,
} from './exchange.ts';

export type { ApiFailure, ApiResult, CallSentences, ServerFetch } from './exchange.ts';

export type CallOptions = Pick<RequestInit, 'keepalive' | 'signal'> & {
  /** Headers such as `If-Match`, if a route needs them. */
  readonly headers?: Record<string, string>;
  /** Receives each line of a streamed reply. The last one is also the result of the call. */
  readonly onLine?: (line: unknown) => void;
};

type Call<R extends Route> = (
  ...args: [...CallArguments<R>, options?: CallOptions]
) => Promise<ApiResult<RouteReply<R>>>;

/** A function for every route, with its path parameters, query, body and options. */
export type RouteCalls = {
  readonly [Group in keyof Routes]: {
    readonly [Name in keyof Routes[Group]]: Routes[Group][Name] extends Route ? Call<Routes[Group][Name]> : never;
  };
};

/** A failure is returned, never thrown. */
export function callRoutes(deps: CallDeps): RouteCalls {
  const ofGroup = ([group, named]: [string, Record<string, Route>]) => [
    group,
    Object.fromEntries(
      Object.entries(named).map(([name, route]) => [name, (...args: readonly unknown[]) => call(deps, route, args)]),
    ),
  ];
  return Object.fromEntries(Object.entries(routes).map(ofGroup)) as RouteCalls;
}

async function call(deps: CallDeps, route: Route, args: readonly unknown[]): Promise<ApiResult<unknown>> {
  const { sentences = programSentences } = deps;
  const { path, body, options } = requestOf(route, args);
  const { onLine, ...given } = (options ?? {}) as CallOptions;
  const answered = await exchange(deps, path, {
    method: route.method,
    ...given,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { ...given.headers, 'content-type': 'application/json' } }),
  });
  if (!answered.ok) return answered;
  const reply = answered.value;
  if (route.format === 'image') return readImage(reply, sentences);
  if (route.format === 'lines') return readLines(reply, route, sentences, onLine);
  const text = await reply.text().catch(() => '');
  // If no reply is expected, ignore whatever a proxy may have added.
  if (route.status === 204) return { ok: true, value: null };
  const parsed = route.reply.safeParse(route.format === 'text' ? text : readJson(text));
  return parsed.success ? { ok: true, value: parsed.data } : refused('UNREADABLE', sentences.unreadable);
}

async function readImage(reply: Response, { unreadable }: CallSentences): Promise<ApiResult<unknown>> {
  const bytes = new Uint8Array(await reply.arrayBuffer().catch(() => new ArrayBuffer()));
  let binary = '';
  // The number of arguments of a function call is limited.
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  const image = ImageFile.safeParse({ mimeType: reply.headers.get('content-type'), data: btoa(binary) });
  return image.success ? { ok: true, value: image.data } : refused('UNREADABLE', unreadable);
}

/** Reads lines as they arrive. One that is cut off or invalid ends the call. */
async function readLines(
  reply: Response,
  route: Route,
  { unreachable, unreadable }: CallSentences,
  onLine: CallOptions['onLine'],
): Promise<ApiResult<unknown>> {
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let last: unknown = null;
  const take = (line: string): boolean => {
    const parsed = route.reply.safeParse(readJson(line));
    if (parsed.success) onLine?.((last = parsed.data));
    return parsed.success;
  };
  try {
    for (let piece = await reader?.read(); piece !== undefined && !piece.done; piece = await reader?.read()) {
      const lines = (rest + piece.value).split('\n');
      rest = lines.pop() ?? '';
      if (!lines.every((line) => line === '' || take(line))) return refused('UNREADABLE', unreadable);
    }
  } catch {
    return refused('UNREACHABLE', unreachable);
  }
  return rest === '' || take(rest) ? { ok: true, value: last } : refused('UNREADABLE', unreadable);
}
