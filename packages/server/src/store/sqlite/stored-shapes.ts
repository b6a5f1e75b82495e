import {
  CliType,
  Image,
  IsoTime,
  PermissionDecision,
  Project,
  SessionError,
  SessionInfo,
  SessionOptions,
  TurnStarted,
  TurnTerminal,
} from '@liminal/contracts';
import { z } from 'zod';

/**
 * What a stored row must look like to be of use. A row that looks otherwise is corrupt or of a build to come; handing
 * it out would break whatever lists it among others.
 */
export const StoredProject = Project.extend({ addedAt: IsoTime, removed: z.boolean() });

export const StoredSession = z.object({
  sessionId: z.string().min(1),
  cliType: CliType,
  projectId: z.string().min(1),
  title: z.string(),
  titleSource: z.enum(['message', 'agent', 'person']),
  createdAt: IsoTime,
  updatedAt: IsoTime,
  archived: z.boolean(),
  life: z.enum(['open', 'dead']),
  lastError: SessionError.nullable(),
  options: SessionOptions,
  info: SessionInfo,
});

export const StoredTurn = z.object({
  sessionId: z.string().min(1),
  turnId: z.string().min(1),
  state: z.enum(['queued', 'sending', 'running', 'completed', 'cancelled', 'failed', 'unknown', 'withdrawn']),
  position: z.int().nullable(),
  content: z.string(),
  images: z.array(Image),
  createdAt: IsoTime,
  clientMessageId: z.string().nullable(),
  awaitsAgent: z.boolean().optional(),
  started: TurnStarted.nullable(),
  startedAt: IsoTime.nullable(),
  ended: TurnTerminal.nullable(),
  endedAt: IsoTime.nullable(),
});

export const StoredDecision = PermissionDecision;

export const StoredOpenRequest = PermissionDecision.pick({
  sessionId: true,
  requestId: true,
  turnId: true,
  title: true,
  toolName: true,
});
