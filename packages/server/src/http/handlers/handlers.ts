import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HandlerArguments, Result, Route, RouteReply, Routes } from '@liminal/contracts';

/** The request and its reply. */
export type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** `isOther`: success under the route's other status. */
export type Answer<R extends Route> = Result<R['status'] extends 204 ? unknown : Sent<R>> & {
  readonly isOther?: boolean;
};
/** A text may also be sent as it comes to be. */
type Sent<R extends Route> = RouteReply<R> | (R['format'] extends 'text' | 'lines' ? Readable : never);
type Handle<Args extends unknown[], R extends Route> = (...args: Args) => Answer<R> | Promise<Answer<R>>;

/** A function of the route's arguments; the few that need the request itself say so. */
export type Handler<R extends Route> =
  | Handle<HandlerArguments<R>, R>
  | { readonly withExchange: Handle<[exchange: Exchange, ...HandlerArguments<R>], R> };

/** A handler for every route of the table: one that is missing does not compile. */
export type Handlers = {
  readonly [Group in keyof Routes]: {
    readonly [Name in keyof Routes[Group]]: Routes[Group][Name] extends Route ? Handler<Routes[Group][Name]> : never;
  };
};
