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

/** The immediate output of `run` and `send`. */
const SentLine = z.object({
  sessionId: z.string(),
  turnId: z.string(),
  cliType: z.string().optional(),
  projectId: z.string().optional(),
  place: SessionPlace.optional(),
});
/** The final output of `wait`, `run --wait`, `send --wait` and `attach` in a pipe. */
const SettledLine = z.object({
  sessionId: z.string(),
  state: z.enum(['done', 'waiting', 'failed', 'stopped']),
  turnId: z.string().optional(),
  message: z.string().optional(),
  answer: z.string().optional(),
  requests: z.array(PermissionRequest).optional(),
});
/** The output of `allow` and `refuse`. */
const AnsweredLine = z.object({ sessionId: z.string(), requestId: z.string(), optionId: z.string() });
/** The output of `doctor` for each check. */
const CheckLine = z.object({
  check: z.string(),
  ok: z.boolean(),
  found: z.string(),
  fix: z.string().optional(),
  optional: z.literal(true).optional(),
});

/** The schema of a line printed with --json, by command. */
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
