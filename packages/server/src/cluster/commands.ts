import {
  CreateSessionBody,
  FailureCode,
  LoadSessionBody,
  PatchSessionBody,
  PermissionAnswer,
  PrepareSessionBody,
  SendBody,
} from '@liminal/contracts';
import { z } from 'zod';

/** The version of what nodes say to each other. A node does not act on what a newer one says. */
export const commandVersion = 1;

const id = z.string().min(1);

/** Everything one node may ask of another, with its arguments; the names are those of the session service. */
export const commands = {
  create: z.tuple([CreateSessionBody]),
  prepare: z.tuple([PrepareSessionBody]),
  discover: z.tuple([id]),
  load: z.tuple([id, LoadSessionBody]),
  send: z.tuple([id, SendBody]),
  cancel: z.tuple([id]),
  kill: z.tuple([id]),
  answer: z.tuple([id, PermissionAnswer]),
  editQueued: z.tuple([id, id, z.string().min(1)]),
  withdraw: z.tuple([id, id]),
  queuedImages: z.tuple([id, id]),
  resend: z.tuple([id, id]),
  setModel: z.tuple([id, id]),
  // What was left out travels as null.
  setMode: z.tuple([
    id,
    id,
    z
      .boolean()
      .nullable()
      .transform((confirm) => confirm ?? false),
  ]),
  setEffort: z.tuple([id, id]),
  patch: z.tuple([id, PatchSessionBody]),
  remove: z.tuple([id]),
  output: z.tuple([id, id]),
  capabilities: z.tuple([id]),
  audit: z.tuple([id]),
  repeat: z.tuple([id, id]),
} as const satisfies Record<string, z.ZodType>;

export type CommandName = keyof typeof commands;
export type CommandArguments<Name extends CommandName> = z.infer<(typeof commands)[Name]>;
export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name);

/** A reply that came over the network is of the shape the owner's service gave it. */
export const CommandResult = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), failure: z.object({ code: FailureCode, message: z.string() }) }),
]);
