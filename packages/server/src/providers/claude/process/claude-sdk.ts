import { pathToFileURL } from 'node:url';
import type {
  CanUseTool,
  EffortLevel,
  HookCallback,
  Options,
  PermissionMode,
  Query,
  SDKUserMessage,
} from '@anthropic-ai/claude-agent-sdk';
import { resolveAgentFile } from '../../../program/agent-packages.ts';
import type { SdkProcess } from './sdk-process.ts';

/** The only file that knows the Agent SDK: everything we use of it, behind our own types. */

/** Loaded on first use: it takes 30 MB, which a server without Claude Code doesn't need. */
const loadSdk = () =>
  import('@anthropic-ai/claude-agent-sdk').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return import(pathToFileURL(resolveAgentFile('@anthropic-ai/claude-agent-sdk')).href) as Promise<never>;
  });

export type UserMessage = {
  readonly uuid: string;
  readonly text: string;
  readonly images: readonly { readonly mimeType: string; readonly data: string }[];
};

export type PermissionQuestion = {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly callId: string;
  readonly requestId: string;
  readonly suggestions: readonly PermissionSuggestion[];
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly reason: string | undefined;
  readonly blockedPath: string | undefined;
  /** Its rule grants more than this call: no permanent permission may be offered. */
  readonly onceOnly: boolean;
  /** The subagent that asks; it may continue after the turn that started it. */
  readonly subagentId: string | undefined;
  readonly signal: AbortSignal;
};

/** What Claude Code proposes to remember, so it needn't ask again. */
export type PermissionSuggestion = NonNullable<Parameters<CanUseTool>[2]['suggestions']>[number];
export type PermissionReply = NonNullable<Awaited<ReturnType<CanUseTool>>>;

export type FormQuestion = {
  readonly requestId: string;
  readonly server: string;
  readonly message: string;
  readonly url: string | undefined;
  readonly schema: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
};
export type FormReply = { action: 'accept'; content?: Record<string, never> } | { action: 'decline' | 'cancel' };

/** A call that Claude Code is about to make. */
export type ToolCall = { readonly callId: string; readonly toolName: string; readonly input: unknown };

export type ClaudeAsks = {
  /** The call waits for this, and never fails because of it. */
  toolCall(call: ToolCall): Promise<void>;
  permission(question: PermissionQuestion): Promise<PermissionReply>;
  form(question: FormQuestion): Promise<FormReply>;
};

/** The options a process is started with and keeps. */
export type HostOptions = {
  readonly env: Readonly<Record<string, string>>;
  /** The user's own Claude Code; without it the bundled one. */
  readonly executable: string | undefined;
  readonly trusted: boolean;
  readonly mayBypass: boolean;
  readonly asks: ClaudeAsks;
  readonly spawn: (command: {
    command: string;
    args: string[];
    cwd: string | undefined;
    env: Record<string, string | undefined>;
  }) => SdkProcess;
};

export type SessionOptions = {
  readonly cwd: string;
  readonly sessionId: string;
  readonly resume: boolean;
  readonly model: string | undefined;
  readonly mode: string;
  readonly effort: string | undefined;
  readonly maxThinkingTokens: number | undefined;
};

export type ClaudeQuery = {
  /** Rejects if the SDK couldn't start at all. */
  readonly begun: Promise<void>;
  readonly messages: AsyncIterable<unknown>;
  interrupt(): Promise<void>;
  setModel(model: string): Promise<void>;
  setMode(mode: string): Promise<void>;
  setEffort(effort: string): Promise<void>;
  /** The available choices, once the process has reported them. */
  choices(): Promise<{ readonly models: readonly ModelChoice[]; readonly commands: readonly unknown[] }>;
  close(): void;
};

export type ModelChoice = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly efforts: readonly string[];
  /** In "auto" mode a model decides instead of the user; not every model supports that. */
  readonly canDecide: boolean;
};

export function startQuery(
  prompt: AsyncIterable<UserMessage>,
  host: HostOptions,
  session: SessionOptions,
): ClaudeQuery {
  const options: Options = {
    ...hostOptions(host),
    cwd: session.cwd,
    ...(session.resume ? { resume: session.sessionId } : { sessionId: session.sessionId }),
    permissionMode: session.mode as PermissionMode,
    ...(session.model && { model: session.model }),
    ...(session.effort && { effort: session.effort as EffortLevel }),
    ...(session.maxThinkingTokens && { maxThinkingTokens: session.maxThinkingTokens }),
  };
  return wrapQuery(loadSdk().then((sdk) => sdk.query({ prompt: toSdkMessages(prompt), options })));
}

export type ParkedProcess = {
  /** Binds it to a folder. `claimed` rejects if it can't serve this one: then no message was taken either. */
  claim(prompt: AsyncIterable<UserMessage>, session: SessionOptions): { query: ClaudeQuery; claimed: Promise<void> };
  readonly exited: Promise<void>;
  close(): void;
};

/** Starts a process before its session is known, except for its id. */
export async function parkProcess(host: HostOptions, sessionId: string, timeoutMs: number): Promise<ParkedProcess> {
  const sdk = await loadSdk();
  const spare = await sdk.prewarm({
    options: { ...hostOptions(host), sessionId, permissionMode: 'default' },
    initializeTimeoutMs: timeoutMs,
  });
  return {
    claim(prompt, { cwd, model, mode, effort, maxThinkingTokens }) {
      const claimed = spare.claim({
        prompt: toSdkMessages(prompt),
        options: {
          cwd,
          permissionMode: mode as PermissionMode,
          ...(model && { model }),
          ...(effort && { settings: { effortLevel: effort as EffortLevel } }),
          ...(maxThinkingTokens && { maxThinkingTokens }),
        },
      });
      return { query: wrapQuery(Promise.resolve(claimed)), claimed: spare.claimed.then(() => {}) };
    },
    exited: spare.exited,
    close: () => spare.close(),
  };
}

function hostOptions(host: HostOptions): Options {
  return {
    env: { ...host.env },
    // Explicit: without it, a repository's own settings and hooks would be loaded (decision 17).
    settingSources: host.trusted ? ['user', 'project', 'local'] : ['user'],
    // Git runs programs from a repository's configuration, and Claude Code would use it without asking (decision 30).
    ...(!host.trusted && { settings: { permissions: { ask: ['Bash(git:*)'] } } }),
    includePartialMessages: true,
    forwardSubagentText: true,
    includeHookEvents: true,
    perTaskStopAffordance: false,
    extraArgs: { 'replay-user-messages': null },
    ...(host.executable !== undefined && { pathToClaudeCodeExecutable: host.executable }),
    ...(host.mayBypass && { allowDangerouslySkipPermissions: true }),
    canUseTool: (toolName, input, context) =>
      host.asks.permission({
        toolName,
        input,
        callId: context.toolUseID,
        requestId: context.requestId,
        suggestions: context.suggestions ?? [],
        title: context.title,
        description: context.description,
        reason: context.decisionReason,
        blockedPath: context.blockedPath,
        onceOnly: context.suppressAlwaysAllowRule === true,
        subagentId: context.agentID,
        signal: context.signal,
      }),
    // Registered for every process: a spare may serve any session.
    hooks: { PreToolUse: [{ hooks: [beforeCall(host.asks)], timeout: holdSeconds }] },
    onElicitation: (request, { signal, requestId }) =>
      host.asks.form({
        requestId,
        server: request.displayName ?? request.serverName,
        message: request.message,
        url: request.url,
        schema: request.requestedSchema,
        signal,
      }),
    spawnClaudeCodeProcess: ({ command, args, cwd, env }) => host.spawn({ command, args, cwd, env }),
  };
}

/** Longer than we ever hold a call; after that Claude Code continues by itself. */
const holdSeconds = 30;

function beforeCall(asks: ClaudeAsks): HookCallback {
  return async (input) => {
    if (input.hook_event_name === 'PreToolUse') {
      await asks.toolCall({ callId: input.tool_use_id, toolName: input.tool_name, input: input.tool_input });
    }
    return {};
  };
}

async function* toSdkMessages(messages: AsyncIterable<UserMessage>): AsyncGenerator<SDKUserMessage> {
  for await (const { uuid, text, images } of messages) {
    const pictures = images.map(({ mimeType, data }) => ({
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: mimeType as 'image/png', data },
    }));
    // A model rejects an empty text, so an image without text is sent alone.
    const texts = text === '' ? [] : [{ type: 'text' as const, text }];
    const content = pictures.length === 0 ? text : [...texts, ...pictures];
    yield {
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      origin: { kind: 'human' },
      uuid: uuid as NonNullable<SDKUserMessage['uuid']>,
    };
  }
}

function wrapQuery(starting: Promise<Query>): ClaudeQuery {
  const begun = starting.then(() => {});
  begun.catch(() => {});
  return {
    begun,
    messages: messagesOf(starting),
    interrupt: async () => void (await (await starting).interrupt()),
    setModel: async (model) => (await starting).setModel(model),
    setMode: async (mode) => (await starting).setPermissionMode(mode as PermissionMode),
    setEffort: async (effort) => (await starting).applyFlagSettings({ effortLevel: effort as EffortLevel }),
    async choices() {
      const { models, commands } = await (await starting).initializationResult();
      return {
        models: models.map(({ value, displayName, description, supportedEffortLevels, supportsAutoMode }) => ({
          id: value,
          name: displayName,
          description,
          efforts: supportedEffortLevels ?? [],
          canDecide: supportsAutoMode === true,
        })),
        commands,
      };
    },
    close: () => void starting.then((running) => running.close()).catch(() => {}),
  };
}

async function* messagesOf(starting: Promise<Query>): AsyncGenerator<unknown> {
  yield* await starting;
}

export type RecordedSession = {
  readonly sessionId: string;
  readonly title: string;
  readonly updatedAt: number;
  readonly size: number;
};

/** The sessions Claude Code keeps for a folder, including those created in a terminal. */
export async function listRecordedSessions(dir: string): Promise<readonly RecordedSession[]> {
  const sdk = await loadSdk();
  const sessions = await sdk.listSessions({ dir, includeWorktrees: false });
  return sessions.map(({ sessionId, summary, customTitle, firstPrompt, lastModified, fileSize }) => ({
    sessionId,
    title: customTitle || summary || firstPrompt || 'Untitled session',
    updatedAt: lastModified,
    size: fileSize ?? 0,
  }));
}

/** Copies a session's record under a new id, which it returns: all of it, or up to and including a row. */
export async function forkRecordedSession(sessionId: string, upTo?: string): Promise<string> {
  const sdk = await loadSdk();
  // Without a folder it searches everywhere: a session may have started in another one than it works in.
  const forked = await sdk.forkSession(sessionId, upTo === undefined ? {} : { upToMessageId: upTo });
  return forked.sessionId;
}
