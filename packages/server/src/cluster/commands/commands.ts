import {
  argumentsSchema,
  FailureCode,
  routes,
  type HandlerArguments,
  type Route,
  type Routes,
} from '@liminal/contracts';
import { z } from 'zod';

/** The protocol version between nodes. A node rejects commands of a newer one. */
export const commandVersion = 2;

type SessionRoutes = Routes['session'];
/** The session routes that the machine of the session or project must answer. */
export type RoutedName = {
  [Name in keyof SessionRoutes]: SessionRoutes[Name]['machine'] extends 'here' ? never : Name;
}[keyof SessionRoutes];
/** Those of them whose first argument is the session id. */
export type OwnedName = {
  [Name in RoutedName]: SessionRoutes[Name]['machine'] extends 'session' ? Name : never;
}[RoutedName];

const entries = Object.entries<Route>(routes.session);
export const ownedNames = entries.filter(([, route]) => route.machine === 'session').map(([name]) => name as OwnedName);

/** Every command one node can send another, with its arguments: the forwarded routes, and `repeat`. */
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

/** The shape of a reply from another node. */
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
