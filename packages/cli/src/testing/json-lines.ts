import {
  ChangedFile,
  SessionExport,
  ListedSession,
  PermissionRequest,
  ProviderSummary,
  SessionPlace,
  UpsertObject,
} from '@liminal/contracts';
import { z } from 'zod';

/** What `run` and `send` print at once. */
const SentLine = z.object({
  sessionId: z.string(),
  turnId: z.string(),
  cliType: z.string().optional(),
  projectId: z.string().optional(),
  place: SessionPlace.optional(),
});
/** What `wait`, `run --wait`, `send --wait` and `attach` in a pipe print at the end. */
const SettledLine = z.object({
  sessionId: z.string(),
  state: z.enum(['done', 'waiting', 'failed', 'stopped']),
  turnId: z.string().optional(),
  message: z.string().optional(),
  answer: z.string().optional(),
  requests: z.array(PermissionRequest).optional(),
});
/** What `allow` and `refuse` print. */
const AnsweredLine = z.object({ sessionId: z.string(), requestId: z.string(), optionId: z.string() });
/** What `doctor` prints of each thing it looked at. */
const CheckLine = z.object({
  check: z.string(),
  ok: z.boolean(),
  found: z.string(),
  fix: z.string().optional(),
  optional: z.literal(true).optional(),
});

/** By command, the schema of a line it prints with --json. */
export const jsonLines = {
  run: z.union([SettledLine, SentLine]),
  send: z.union([SettledLine, SentLine]),
  wait: SettledLine,
  ls: ListedSession,
  agents: ProviderSummary,
  allow: AnsweredLine,
  refuse: AnsweredLine,
  attach: z.union([UpsertObject, SettledLine]),
  export: SessionExport,
  review: ChangedFile,
  doctor: CheckLine,
} as const;
