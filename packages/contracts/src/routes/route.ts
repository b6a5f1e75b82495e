import { z } from 'zod';
import type { FailureCode } from '../failure.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One route: everything the server, the page, the OpenAPI document and other machines need to know of it. */
export type Route = {
  readonly method: Method;
  /** `:name` stands for what varies. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: z.ZodType;
  /** Of success; 200 unless given. */
  readonly status?: 201 | 202 | 204;
  /** Success in another form of the same reply, as where a thing was there already. */
  readonly otherStatus?: 200;
  readonly reply: z.ZodType;
  /**
   * `text` is sent as it is; `lines` is NDJSON, and `reply` is the schema of one line; `image` is an `ImageFile` whose
   * bytes are sent. JSON unless given.
   */
  readonly format?: 'text' | 'lines' | 'image';
  /** The expected failures beside those that any request may meet (a wrong token, a wrong shape). */
  readonly errors: readonly FailureCode[];
  /** Works only in a folder the user trusts. */
  readonly needsTrust?: true;
  /** Whose machine answers: the session's, the project's, or the one that was asked. */
  readonly machine: 'session' | 'project' | 'here';
};

/** One text for each `:name` of a path. */
type PathArguments<Path extends string> = Path extends `${string}:${string}/${infer Rest}`
  ? [string, ...PathArguments<Rest>]
  : Path extends `${string}:${string}`
    ? [string]
    : [];

type Given<R extends Route, Part extends 'query' | 'body'> = R[Part] extends z.ZodType ? z.input<R[Part]> : never;
type Read<R extends Route, Part extends 'query' | 'body'> = R[Part] extends z.ZodType ? z.output<R[Part]> : never;

/** What a caller gives: the parts of the path in their order, then the query, then the body. */
export type CallArguments<R extends Route> = [
  ...PathArguments<R['path']>,
  ...([Given<R, 'query'>] extends [never] ? [] : [query: Given<R, 'query'>]),
  ...([Given<R, 'body'>] extends [never]
    ? []
    : undefined extends Given<R, 'body'>
      ? [body?: Given<R, 'body'>]
      : [body: Given<R, 'body'>]),
];

/** What a handler gets: the same, after the schemas have read it. */
export type HandlerArguments<R extends Route> = [
  ...PathArguments<R['path']>,
  ...([Read<R, 'query'>] extends [never] ? [] : [query: Read<R, 'query'>]),
  ...([Read<R, 'body'>] extends [never] ? [] : [body: Read<R, 'body'>]),
];

export type RouteReply<R extends Route> = z.output<R['reply']>;

const pathName = z.string().min(1);
const pathNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');

/** The schema of what varies in a path. */
export const pathSchema = (path: string) =>
  z.object(Object.fromEntries(pathNames(path).map((name) => [name, pathName])));

/** What a request carries, as the arguments of a handler. */
export const argumentsOf = (
  route: Route,
  request: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
): unknown[] => [
  ...pathNames(route.path).map((name) => (request.params as Record<string, string>)[name]),
  ...(route.query ? [request.query] : []),
  ...(route.body ? [request.body] : []),
];

/** The arguments of a handler as a schema, for those that come from another machine. */
export const argumentsSchema = (route: Route) => {
  const parts = [...pathNames(route.path).map(() => pathName), route.query, route.body];
  // What was left out travels as null.
  const given = parts
    .filter((part) => part !== undefined)
    .map((part): z.ZodType => z.preprocess((value) => value ?? undefined, part));
  return z.tuple(given as [z.ZodType, ...z.ZodType[]]);
};

/** The address of a call, its body, and what the caller gave beyond both. */
export function requestOf(route: Route, args: readonly unknown[]): { path: string; body: unknown; options: unknown } {
  const rest = [...args];
  const path = route.path.replaceAll(/:\w+/g, () => encodeURIComponent(String(rest.shift())));
  const query = route.query ? queryText(rest.shift()) : '';
  const body = route.body ? rest.shift() : undefined;
  return { path: path + query, body, options: rest.shift() };
}

function queryText(query: unknown): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  return given
    .map(([name, value], place) => `${place === 0 ? '?' : '&'}${name}=${encodeURIComponent(String(value))}`)
    .join('');
}
