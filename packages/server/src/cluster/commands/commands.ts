import {
  argumentsSchema,
  FailureCode,
  routes,
  type HandlerArguments,
  type Route,
  type Routes,
} from '@liminal/contracts';
import { z } from 'zod';

/** The version of what nodes say to each other. A node does not act on what a newer one says. */
export const commandVersion = 2;

type SessionRoutes = Routes['session'];
/** The routes of a session that its own machine, or its project's, has to answer. */
export type RoutedName = {
  [Name in keyof SessionRoutes]: SessionRoutes[Name]['machine'] extends 'here' ? never : Name;
}[keyof SessionRoutes];
/** Of these, the ones whose first argument is the session. */
export type OwnedName = {
  [Name in RoutedName]: SessionRoutes[Name]['machine'] extends 'session' ? Name : never;
}[RoutedName];

const entries = Object.entries<Route>(routes.session);
export const ownedNames = entries.filter(([, route]) => route.machine === 'session').map(([name]) => name as OwnedName);

/** Everything one node may ask of another, with its arguments: the routes of another machine, and one of our own. */
const commands: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(
    entries.filter(([, route]) => route.machine !== 'here').map(([name, route]) => [name, argumentsSchema(route)]),
  ),
  repeat: z.tuple([z.string().min(1), z.string().min(1)]),
};

export type CommandName = RoutedName | 'repeat';
export type CommandArguments<Name extends CommandName> = Name extends RoutedName
  ? HandlerArguments<SessionRoutes[Name]>
  : [sessionId: string, itemId: string];
export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name);
export const commandArguments = (name: CommandName): z.ZodType => commands[name] ?? z.never();

/** A reply that came over the network is of the shape the owner's service gave it. */
export const CommandResult = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({
    ok: z.literal(false),
    failure: z.object({
      code: FailureCode,
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
]);
