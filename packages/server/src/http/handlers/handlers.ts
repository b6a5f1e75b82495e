import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HandlerArguments, Result, Route, RouteReply, Routes } from '@liminal/contracts';

/** The request and its reply. */
export type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** `isOther`: success with the route's other status code. */
export type Answer<R extends Route> = Result<R['status'] extends 204 ? unknown : Sent<R>> & {
  readonly isOther?: boolean;
};
/** Text may also be streamed. */
type Sent<R extends Route> = RouteReply<R> | (R['format'] extends 'text' | 'lines' ? Readable : never);
type Handle<Args extends unknown[], R extends Route> = (...args: Args) => Answer<R> | Promise<Answer<R>>;

/** A function of the route's arguments. The few that need the request itself use `withExchange`. */
export type Handler<R extends Route> =
  | Handle<HandlerArguments<R>, R>
  | { readonly withExchange: Handle<[exchange: Exchange, ...HandlerArguments<R>], R> };

/** A handler for every route. A missing one doesn't compile. */
export type Handlers = {
  readonly [Group in keyof Routes]: {
    readonly [Name in keyof Routes[Group]]: Routes[Group][Name] extends Route ? Handler<Routes[Group][Name]> : never;
  };
};
