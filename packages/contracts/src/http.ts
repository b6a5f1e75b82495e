import { z } from 'zod';
import { AttentionKind } from './session/attention.ts';
import { HistoryPage } from './session/history.ts';
import { PermissionDecision } from './session/permission.ts';
import { SessionPlace, PlaceChoice } from './worktree.ts';
import { Project } from './project.ts';
import {
  CliType,
  DiscoveredSession,
  Image,
  ProviderCapabilities,
  ProviderSummary,
  SessionOptions,
} from './provider.ts';
import { SessionQueue } from './session/queue.ts';
import { SessionInfo } from './session/session-info.ts';
import { SessionStatus, ListedSession } from './session/session.ts';
import { IsoTime } from './session/upsert.ts';

/** The bodies and replies of all routes, shared by the server and its clients. */
export const HealthReply = z.object({ ok: z.literal(true), version: z.string() });
export const ProvidersReply = z.object({ providers: z.array(ProviderSummary) });

export const ProjectsReply = z.object({ projects: z.array(Project) });
export const AddProjectBody = z.object({ dir: z.string().min(1) });
export const TrustProjectBody = z.object({ trusted: z.boolean() });

/** A message that starts a turn. */
const messageShape = {
  /** May be empty if there are images. */
  content: z.string(),
  images: z.array(Image).max(20).optional(),
  clientMessageId: z.string().min(1).max(200).optional(),
  /** Files the user mentioned explicitly; each must be in the project. Paths in the text itself are just text. */
  mentions: z.array(z.string().min(1).max(4096)).max(200).optional(),
};
const saysSomething = ({ content, images = [] }: { content: string; images?: readonly unknown[] | undefined }) =>
  content !== '' || images.length > 0;
const saysNothing = { path: ['content'], message: 'Write a message, or attach an image' };

export const FirstMessage = z.object(messageShape).refine(saysSomething, saysNothing);
export type FirstMessage = z.infer<typeof FirstMessage>;

export const CreateSessionBody = z
  .object({
    cliType: z.string().min(1),
    projectDir: z.string().min(1).optional(),
    projectId: z.string().min(1).optional(),
    options: SessionOptions.optional(),
    /** The project's folder by default. A new worktree is ready before the server replies. */
    place: PlaceChoice.optional(),
    /** The user understands and wants a mode without permission requests. */
    confirm: z.boolean().optional(),
    /**
     * Set when an agent makes the request: its ancestor processes, by which the server finds the session it belongs to.
     * The new session gets no more rights than that one.
     */
    startedFrom: z.object({ processes: z.array(z.int().positive()).max(200), insideAgent: z.boolean() }).optional(),
    /**
     * Sending the same id again returns the same session, for a client that missed the reply. A message with another
     * `clientMessageId` is then sent into that session.
     */
    clientSessionId: z.string().min(1).max(200).optional(),
    /** Sent as soon as the agent is ready. Session and message are created together or not at all. */
    message: FirstMessage.optional(),
  })
  .refine((body) => body.projectDir !== undefined || body.projectId !== undefined, {
    path: ['projectDir'],
    message: 'Set projectDir or projectId',
  });
export type CreateSessionBody = z.infer<typeof CreateSessionBody>;
export const CreateSessionReply = z.object({
  sessionId: z.string(),
  cliType: CliType,
  projectId: z.string(),
  place: SessionPlace.optional(),
  /** The turn of the message that came with the request. */
  turnId: z.string().optional(),
});
export type CreateSessionReply = z.infer<typeof CreateSessionReply>;

export const PrepareSessionBody = z.object({
  cliType: z.string().min(1),
  projectId: z.string().min(1),
  options: SessionOptions.optional(),
});
export type PrepareSessionBody = z.infer<typeof PrepareSessionBody>;
/** The options and defaults of the session, as far as they are known before it exists. */
export const PrepareSessionReply = z.object({ info: SessionInfo });
export type PrepareSessionReply = z.infer<typeof PrepareSessionReply>;

export const LoadSessionBody = z.object({
  cliType: z.string().min(1).optional(),
  projectId: z.string().min(1).optional(),
});
export type LoadSessionBody = z.infer<typeof LoadSessionBody>;
export const LoadSessionReply = z.object({ sessionId: z.string(), cliType: CliType });

export const ListSessionsQuery = z.object({
  projectId: z.string().optional(),
  scope: z.enum(['active', 'all']).optional(),
});
export type ListSessionsQuery = z.infer<typeof ListSessionsQuery>;
export const DiscoverQuery = z.object({ projectId: z.string().optional() });
export type DiscoverQuery = z.infer<typeof DiscoverQuery>;
export const SessionsReply = z.object({ sessions: z.array(ListedSession) });
export const SessionStatusReply = z.object({
  sessionId: z.string(),
  cliType: CliType,
  ...SessionStatus.shape,
  attention: AttentionKind,
  place: SessionPlace.optional(),
});

export const SendBody = z
  .object({ ...messageShape, mode: z.enum(['queue', 'steer']).optional() })
  .refine(saysSomething, saysNothing);
export type SendBody = z.infer<typeof SendBody>;
export const SendReply = z.object({ turnId: z.string() });
export type SendReply = z.infer<typeof SendReply>;

export const PatchSessionBody = z.object({
  title: z.string().trim().min(1).max(300).optional(),
  archived: z.boolean().optional(),
  /** The `ended.id` that the user has seen. */
  seen: z.string().min(1).max(500).optional(),
  unread: z.boolean().optional(),
  pinned: z.boolean().optional(),
  /** Hides the session from the inbox until a time, or until its attention changes; null shows it again. */
  snoozed: z
    .object({ until: z.union([IsoTime, z.literal('change')]) })
    .nullable()
    .optional(),
});
export type PatchSessionBody = z.infer<typeof PatchSessionBody>;
export const EditQueuedBody = z.object({ content: z.string().min(1) });
export type EditQueuedBody = z.infer<typeof EditQueuedBody>;
export const HistoryQuery = z.object({
  before: z.string().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(1000).optional(),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;
export const DiscoverReply = z.object({ sessions: z.array(DiscoveredSession) });
export const CapabilitiesReply = z.object({ capabilities: ProviderCapabilities, info: SessionInfo });
export const SetModelBody = z.object({ modelId: z.string().min(1) });
export type SetModelBody = z.infer<typeof SetModelBody>;
/** A mode without permission requests needs `confirm`: the user understands what it means. */
export const SetModeBody = z.object({ modeId: z.string().min(1), confirm: z.boolean().optional() });
export type SetModeBody = z.infer<typeof SetModeBody>;
export const SetEffortBody = z.object({ effort: z.string().min(1) });
export type SetEffortBody = z.infer<typeof SetEffortBody>;
export const AuditReply = z.object({ decisions: z.array(PermissionDecision) });
export const Done = z.object({});
/** Programs get the new token; a page gets a new secret instead. */
export const RotateTokenReply = z.object({ token: z.string().optional(), secret: z.string().optional() });
export { HistoryPage as HistoryReply, SessionQueue as QueueReply };

/** The line that `npm start -- --json` prints when the server is ready. */
export const ReadyLine = z.object({
  event: z.literal('ready'),
  url: z.url(),
  port: z.int().positive(),
  token: z.string(),
  version: z.string(),
  pid: z.int().positive(),
});
export type ReadyLine = z.infer<typeof ReadyLine>;
