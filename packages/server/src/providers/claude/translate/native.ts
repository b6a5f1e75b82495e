import {
  asAmount,
  asCount,
  asList,
  asNonEmptyString,
  asNumber,
  asOptionalRecord,
  asRecord,
  asText,
  asTexts,
  type Loose,
} from '../../kit/read-json.ts';

/**
 * The few shapes of Claude Code's messages that we read, defined narrowly: a new field can't reach us by accident, and
 * an unknown shape is counted, never fatal (MM-3).
 */
export type Native =
  | NativeInit
  | NativeStream
  | NativeAssistant
  | NativeUser
  | NativeResult
  | { readonly kind: 'system'; readonly subtype: string; readonly fields: Loose; readonly uuids: readonly string[] }
  | { readonly kind: 'lifecycle'; readonly uuid: string; readonly state: string }
  | { readonly kind: 'rate-limit'; readonly fields: Loose }
  | { readonly kind: 'auth-status'; readonly error: string }
  | { readonly kind: 'conversation-reset' }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'unknown'; readonly name: string };

export type NativeInit = {
  readonly kind: 'init';
  readonly model: string;
  readonly cwd: string;
  readonly version: string;
  readonly mode: string | undefined;
  readonly sessionId: string | undefined;
  readonly commands: readonly string[];
  readonly uuids: readonly string[];
  /** This Claude Code names the messages a turn covers; an older one omits the list even for ours. */
  readonly namesMessages: boolean;
};

export type NativeStream = {
  readonly kind: 'stream';
  readonly event: Loose;
  readonly parent: string | undefined;
  readonly uuids: readonly string[];
  readonly abandonedFrom: number | undefined;
};

export type NativeBlock = { readonly type: string; readonly fields: Loose };

export type NativeAssistant = {
  readonly kind: 'assistant';
  readonly uuid: string | undefined;
  readonly messageId: string;
  readonly model: string;
  readonly blocks: readonly NativeBlock[];
  readonly parent: string | undefined;
  readonly uuids: readonly string[];
  readonly aborted: boolean;
  /** Claude Code wrote this itself, not a model. */
  readonly synthetic: boolean;
  readonly error: string | undefined;
  readonly supersedes: readonly string[];
};

export type NativeUser = {
  readonly kind: 'user';
  readonly uuid: string | undefined;
  readonly blocks: readonly NativeBlock[];
  readonly parent: string | undefined;
  readonly isReplay: boolean;
  readonly toolUseResult: unknown;
  readonly resultMeta: unknown;
};

export type NativeUsage = {
  readonly input: number;
  readonly output: number;
  readonly read: number;
  readonly write: number;
};

export type NativeResult = {
  readonly kind: 'result';
  readonly subtype: string;
  readonly isError: boolean;
  readonly terminalReason: string;
  readonly text: string;
  readonly errors: readonly string[];
  readonly apiStatus: number | undefined;
  readonly apiError: string | undefined;
  readonly uuids: readonly string[];
  readonly usage: NativeUsage | undefined;
  readonly models: readonly NativeModelUse[];
  readonly sinceLast: readonly NativeModelUse[] | undefined;
  readonly totalCostUsd: number | undefined;
  readonly durationMs: number | undefined;
  readonly structuredOutput: unknown;
};

export type NativeModelUse = {
  readonly model: string;
  readonly usage: NativeUsage;
  readonly costUsd: number;
  readonly contextWindow: number;
};

/** Kinds with nothing a user or the session needs. */
const quietTypes = new Set([
  'keep_alive',
  'tool_progress',
  'tool_use_summary',
  'prompt_suggestion',
  'active_goal',
  'control_request_progress',
]);

export function readNative(message: unknown): Native {
  const fields = asOptionalRecord(message);
  const type = asText(fields?.['type']);
  if (!fields || type === undefined) return { kind: 'unknown', name: 'a message without a type' };
  switch (type) {
    case 'stream_event':
      return readStream(fields);
    case 'assistant':
      return readAssistant(fields);
    case 'user':
      return readUser(fields);
    case 'result':
      return readResult(fields);
    case 'system':
      return readSystem(fields);
    case 'command_lifecycle':
      return { kind: 'lifecycle', uuid: asText(fields['command_uuid']) ?? '', state: asText(fields['state']) ?? '' };
    case 'rate_limit_event':
      return { kind: 'rate-limit', fields: asRecord(fields['rate_limit_info']) };
    case 'auth_status': {
      const error = asText(fields['error']);
      return error ? { kind: 'auth-status', error } : { kind: 'ignored' };
    }
    case 'conversation_reset':
      return { kind: 'conversation-reset' };
    default:
      return quietTypes.has(type) ? { kind: 'ignored' } : { kind: 'unknown', name: type };
  }
}

function readSystem(fields: Loose): Native {
  const subtype = asText(fields['subtype']) ?? '';
  const uuids = asTexts(fields['user_message_uuids']);
  if (subtype !== 'init') return { kind: 'system', subtype, fields, uuids };
  return {
    kind: 'init',
    model: asText(fields['model']) || 'unknown',
    cwd: asText(fields['cwd']) ?? '',
    version: asText(fields['claude_code_version']) ?? '',
    mode: asText(fields['permissionMode']),
    sessionId: asText(fields['session_id']),
    commands: asTexts(fields['slash_commands']),
    uuids,
    namesMessages: asTexts(fields['capabilities']).includes('request_marker_lists_v1'),
  };
}

function readStream(fields: Loose): NativeStream {
  return {
    kind: 'stream',
    event: asRecord(fields['event']),
    parent: asNonEmptyString(fields['parent_tool_use_id']),
    uuids: asTexts(fields['user_message_uuids']),
    abandonedFrom: asNumber(asRecord(fields['abandoned_blocks'])['from_block_index']),
  };
}

function readAssistant(fields: Loose): NativeAssistant {
  const message = asRecord(fields['message']);
  const model = asText(message['model']) ?? '';
  return {
    kind: 'assistant',
    uuid: asText(fields['uuid']),
    messageId: asText(message['id']) ?? asText(fields['uuid']) ?? '',
    model,
    blocks: readBlocks(message['content']),
    parent: asNonEmptyString(fields['parent_tool_use_id']),
    uuids: asTexts(fields['user_message_uuids']),
    aborted: fields['aborted'] === true,
    synthetic: model === '<synthetic>',
    error: asText(fields['error']),
    supersedes: asTexts(fields['supersedes']),
  };
}

function readUser(fields: Loose): NativeUser {
  return {
    kind: 'user',
    uuid: asText(fields['uuid']),
    blocks: readBlocks(asRecord(fields['message'])['content']),
    parent: asNonEmptyString(fields['parent_tool_use_id']),
    isReplay: fields['isReplay'] === true,
    toolUseResult: fields['tool_use_result'] ?? fields['toolUseResult'],
    resultMeta: fields['tool_result_meta'],
  };
}

/** The content of a message: a plain string counts as one text block. */
export function readBlocks(content: unknown): readonly NativeBlock[] {
  if (typeof content === 'string') return [{ type: 'text', fields: { text: content } }];
  return asList(content).flatMap((entry) => {
    const fields = asOptionalRecord(entry);
    const type = asText(fields?.['type']);
    return fields && type !== undefined ? [{ type, fields }] : [];
  });
}

export function readUsage(value: unknown): NativeUsage | undefined {
  const fields = asOptionalRecord(value);
  if (!fields) return undefined;
  return {
    input: count(fields['input_tokens']),
    output: count(fields['output_tokens']),
    read: count(fields['cache_read_input_tokens']),
    write: count(fields['cache_creation_input_tokens']),
  };
}

function readResult(fields: Loose): NativeResult {
  return {
    kind: 'result',
    subtype: asText(fields['subtype']) ?? '',
    isError: fields['is_error'] === true,
    terminalReason: asText(fields['terminal_reason']) ?? '',
    text: asText(fields['result']) ?? '',
    errors: asTexts(fields['errors']),
    apiStatus: asNumber(fields['api_error_status']),
    apiError: asText(fields['api_error_type']),
    uuids: asTexts(fields['user_message_uuids']),
    usage: readUsage(fields['usage']),
    models: readModelUse(fields['modelUsage']) ?? [],
    sinceLast: readModelUse(fields['model_usage_since_last_result']),
    totalCostUsd: asAmount(fields['total_cost_usd']),
    durationMs: asAmount(fields['duration_ms']),
    structuredOutput: fields['structured_output'],
  };
}

function readModelUse(value: unknown): readonly NativeModelUse[] | undefined {
  const byModel = asOptionalRecord(value);
  if (!byModel) return undefined;
  return Object.entries(byModel).map(([model, entry]) => {
    const use = asRecord(entry);
    return {
      model,
      usage: {
        input: count(use['inputTokens']),
        output: count(use['outputTokens']),
        read: count(use['cacheReadInputTokens']),
        write: count(use['cacheCreationInputTokens']),
      },
      costUsd: asAmount(use['costUSD']) ?? 0,
      contextWindow: count(use['contextWindow']),
    };
  });
}

const count = (value: unknown): number => asCount(value) ?? 0;
