import { z } from 'zod';
import type { FailureCode } from '../failure.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One route: everything the server, the page, the OpenAPI document and other machines need to know about it. */
export type Route = {
  readonly method: Method;
  /** `:name` is a parameter. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: z.ZodType;
  /** The status on success; 200 by default. */
  readonly status?: 201 | 202 | 204;
  /** A second status on success with the same reply, for example if the thing existed already. */
  readonly otherStatus?: 200;
  readonly reply: z.ZodType;
  /**
   * `text` is sent unchanged; `lines` is NDJSON, and `reply` is the schema of one line; `image` is an `ImageFile` whose
   * bytes are sent. JSON by default.
   */
  readonly format?: 'text' | 'lines' | 'image';
  /** The expected failures, besides those of any request (wrong token, invalid input). */
  readonly errors: readonly FailureCode[];
  /** Works only in a folder the user trusts. */
  readonly needsTrust?: true;
  /** Which machine answers: the session's, the project's, or the one that got the request. */
  readonly machine: 'session' | 'project' | 'here';
};

/** One string per `:name` in the path. */
type PathArguments<Path extends string> = Path extends `${string}:${string}/${infer Rest}`
  ? [string, ...PathArguments<Rest>]
  : Path extends `${string}:${string}`
    ? [string]
    : [];

type Given<R extends Route, Part extends 'query' | 'body'> = R[Part] extends z.ZodType ? z.input<R[Part]> : never;
type Read<R extends Route, Part extends 'query' | 'body'> = R[Part] extends z.ZodType ? z.output<R[Part]> : never;

/** What a caller passes: the path parameters in order, then the query, then the body. */
export type CallArguments<R extends Route> = [
  ...PathArguments<R['path']>,
  ...([Given<R, 'query'>] extends [never] ? [] : [query: Given<R, 'query'>]),
  ...([Given<R, 'body'>] extends [never]
    ? []
    : undefined extends Given<R, 'body'>
      ? [body?: Given<R, 'body'>]
      : [body: Given<R, 'body'>]),
];

/** What a handler receives: the same, parsed by the schemas. */
export type HandlerArguments<R extends Route> = [
  ...PathArguments<R['path']>,
  ...([Read<R, 'query'>] extends [never] ? [] : [query: Read<R, 'query'>]),
  ...([Read<R, 'body'>] extends [never] ? [] : [body: Read<R, 'body'>]),
];

export type RouteReply<R extends Route> = z.output<R['reply']>;

const pathName = z.string().min(1);
const pathNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');

/** The schema of the path parameters. */
export const pathSchema = (path: string) =>
  z.object(Object.fromEntries(pathNames(path).map((name) => [name, pathName])));

/** The values of a request, as arguments for a handler. */
export const argumentsOf = (
  route: Route,
  request: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
): unknown[] => [
  ...pathNames(route.path).map((name) => (request.params as Record<string, string>)[name]),
  ...(route.query ? [request.query] : []),
  ...(route.body ? [request.body] : []),
];

/** The schema of a handler's arguments, for calls from another machine. */
export const argumentsSchema = (route: Route) => {
  const parts = [...pathNames(route.path).map(() => pathName), route.query, route.body];
  // JSON sends missing arguments as null.
  const given = parts
    .filter((part) => part !== undefined)
    .map((part): z.ZodType => z.preprocess((value) => value ?? undefined, part));
  return z.tuple(given as [z.ZodType, ...z.ZodType[]]);
};

/** The path and body of a call, and any further argument of the caller. */
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
