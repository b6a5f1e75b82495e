import {
  type FileDiff,
  type FileLocation,
  type PlanEntry,
  type SlashCommand,
  type ToolArguments,
  ToolKind,
  type Usage,
} from '@liminal/contracts';
import {
  asAmount,
  asCount,
  asList,
  asRecord,
  asRecords,
  asText,
  asNonEmptyString,
  isRecord,
  type Loose,
  present,
  inTable,
} from '../../kit/read-json.ts';

/** A field of a call: absent keeps what is known, `null` clears it. */
type Patch<T> = T | null;

/** An agent's report about one tool call, in `tool_call`, `tool_call_update` or a permission request. */
export type NativeCall = {
  readonly callId: string;
  /** Set for `tool_call`, which starts a call; everything else continues one. */
  readonly isBegun?: true;
  readonly name?: string;
  readonly title?: Patch<string>;
  readonly kind?: Patch<ToolKind>;
  readonly status?: string;
  /** The full text of `content`; replaces the previous text. */
  readonly text?: Patch<string>;
  readonly diffs?: Patch<readonly FileDiff[]>;
  readonly locations?: Patch<readonly FileLocation[]>;
  readonly toolArguments?: ToolArguments;
  /** What a shell printed since the last update; some agents keep it out of `content`. */
  readonly shellOutput?: string;
  readonly rawOutput?: unknown;
};

export type NativeUpdate =
  | {
      readonly kind: 'text';
      readonly role: 'agent' | 'thought' | 'user';
      readonly messageId?: string;
      readonly text: string;
    }
  | { readonly kind: 'call'; readonly call: NativeCall }
  | { readonly kind: 'plan'; readonly entries: readonly PlanEntry[] }
  /** A plan as text rather than a list; the full text replaces the previous one. */
  | { readonly kind: 'plan-text'; readonly planId: string; readonly text: string }
  | { readonly kind: 'commands'; readonly commands: readonly SlashCommand[] }
  | { readonly kind: 'mode'; readonly modeId: string }
  | { readonly kind: 'config'; readonly configOptions: unknown }
  | { readonly kind: 'info'; readonly title?: string; readonly threadStatus?: string }
  | { readonly kind: 'usage'; readonly used?: number; readonly size?: number; readonly costUsd?: number }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'unknown'; readonly variant: string; /** Its readable part. */ readonly text?: string };

const compactions = { completed: 'The context was compacted.', failed: 'Compacting the context failed.' };

/** Reads one `session/update`. Anything unreadable is `unknown` with its name, so it can be counted. */
export function readUpdate(raw: unknown): NativeUpdate {
  const update = asRecord(raw);
  const variant = asText(update['sessionUpdate']) ?? 'nameless';
  switch (variant) {
    case 'agent_message_chunk':
      return readChunk(update, 'agent');
    case 'agent_thought_chunk':
      return readChunk(update, 'thought');
    case 'user_message_chunk':
      return readChunk(update, 'user');
    case 'tool_call':
    case 'tool_call_update': {
      const call = readCall(update);
      if (!call) return { kind: 'unknown', variant: `${variant} without toolCallId` };
      return { kind: 'call', call: variant === 'tool_call' ? { ...call, isBegun: true } : call };
    }
    case 'plan':
      return { kind: 'plan', entries: asRecords(update['entries']).map(readPlanEntry) };
    case 'plan_update':
      return readPlan(asRecord(update['plan']));
    case 'plan_removed':
      // The plan stays readable; it ends with its turn.
      return { kind: 'info' };
    case 'available_commands_update':
      return { kind: 'commands', commands: asRecords(update['availableCommands']).flatMap(readCommand) };
    case 'current_mode_update': {
      const modeId = asNonEmptyString(update['currentModeId']);
      return modeId === undefined ? { kind: 'unknown', variant } : { kind: 'mode', modeId };
    }
    case 'config_option_update':
      return { kind: 'config', configOptions: update['configOptions'] };
    case 'session_info_update': {
      const thread = asRecord(asRecord(asRecord(update['_meta'])['codex'])['threadStatus']);
      return {
        kind: 'info',
        ...present({ title: asNonEmptyString(update['title']), threadStatus: asNonEmptyString(thread['type']) }),
      };
    }
    case 'usage_update': {
      const cost = asRecord(update['cost']);
      const costUsd = cost['currency'] === 'USD' ? asAmount(cost['amount']) : undefined;
      return { kind: 'usage', ...present({ used: asCount(update['used']), size: asCount(update['size']), costUsd }) };
    }
    case 'notice': {
      const text = [asNonEmptyString(update['title']), asNonEmptyString(update['description'])]
        .filter((part) => part !== undefined)
        .join(': ');
      return text === '' ? { kind: 'unknown', variant } : { kind: 'note', text };
    }
    case 'compaction_update': {
      const sentence = inTable(compactions, asText(update['status']) ?? '');
      return sentence === undefined
        ? { kind: 'info' }
        : { kind: 'note', text: [sentence, asNonEmptyString(update['error'])].filter(Boolean).join(' ') };
    }
    case 'compaction_summary_chunk':
      return { kind: 'info' };
    default:
      return { kind: 'unknown', variant, ...present({ text: readableText(update) }) };
  }
}

function readableText(update: Loose): string | undefined {
  const parts = [
    asNonEmptyString(update['title']),
    asNonEmptyString(update['message']),
    asNonEmptyString(asRecord(update['content'])['text']),
  ];
  return asNonEmptyString(parts.filter((part) => part !== undefined).join(': '));
}

function readChunk(update: Loose, role: 'agent' | 'thought' | 'user'): NativeUpdate {
  return {
    kind: 'text',
    role,
    text: contentText(update['content']),
    ...present({ messageId: asNonEmptyString(update['messageId']) }),
  };
}

/** The text of one content block; a block without text is named. */
export function contentText(block: unknown): string {
  const content = asRecord(block);
  switch (content['type']) {
    case 'text':
      return asText(content['text']) ?? '';
    case 'resource_link':
      return `[${asNonEmptyString(content['title']) ?? asNonEmptyString(content['name']) ?? 'file'}](${asText(content['uri']) ?? ''})`;
    case 'resource': {
      const resource = asRecord(content['resource']);
      return asText(resource['text']) ?? `[${asText(resource['uri']) ?? 'resource'}]`;
    }
    default:
      return isRecord(block) ? `[${asNonEmptyString(content['type']) ?? 'content'}${mimeOf(content)}]` : '';
  }
}

const mimeOf = (content: Loose): string =>
  asNonEmptyString(content['mimeType']) === undefined ? '' : ` ${asNonEmptyString(content['mimeType'])}`;

const toolKinds = new Set<string>(ToolKind.options);

/** Reads a tool call from any message that carries one; null without an id. */
export function readCall(raw: unknown): NativeCall | null {
  const call = asRecord(raw);
  const callId = asNonEmptyString(call['toolCallId']);
  if (callId === undefined) return null;
  const meta = asRecord(call['_meta']);
  const parts = call['content'] === undefined ? undefined : asRecords(call['content']);
  const texts = parts?.filter((part) => part['type'] === 'content').map((part) => contentText(part['content']));
  const diffs = parts?.filter((part) => part['type'] === 'diff').flatMap(readDiff);
  const shell = asRecord(meta['terminal_output_delta'] ?? meta['terminal_output']);
  return present({
    callId,
    name: asNonEmptyString(call['name']) ?? asNonEmptyString(asRecord(meta['claudeCode'])['toolName']),
    title: clearable(call['title'], asNonEmptyString),
    kind: clearable(call['kind'], (kind) => (toolKinds.has(asText(kind) ?? '') ? (kind as ToolKind) : 'other')),
    status: asNonEmptyString(call['status']),
    text:
      call['content'] === null
        ? null
        : texts && texts.length > 0
          ? withoutFence(texts.join('\n'), call['rawOutput'])
          : undefined,
    diffs: call['content'] === null ? null : diffs && diffs.length > 0 ? diffs : undefined,
    locations: clearable(call['locations'], (list) => asRecords(list).flatMap(readLocation)),
    toolArguments: readArguments(call['rawInput']),
    shellOutput: asNonEmptyString(shell['data']),
    rawOutput: call['rawOutput'] ?? undefined,
  });
}

/** Some agents wrap an output in a code block for Markdown readers, and also send it plain. */
function withoutFence(text: string, rawOutput: unknown): string {
  const [, , inside] = /^(`{3,})[^\n]*\n([\s\S]*?)\n?\1$/.exec(text.trim()) ?? [];
  const plain = inside === undefined ? undefined : rawOutputText(rawOutput);
  return plain !== undefined && plain.trim() === inside?.trim() ? plain : text;
}

const clearable = <T>(value: unknown, read: (value: unknown) => T): T | null | undefined =>
  value === undefined ? undefined : value === null ? null : read(value);

/** An empty input never replaces a known one: some agents send `{}` again with the permission request. */
function readArguments(rawInput: unknown): ToolArguments | undefined {
  if (isRecord(rawInput)) return Object.keys(rawInput).length > 0 ? rawInput : undefined;
  return rawInput === undefined || rawInput === null || rawInput === '' ? undefined : { input: rawInput };
}

function readDiff(part: Loose): FileDiff[] {
  const path = asNonEmptyString(part['path']);
  const newText = asText(part['newText']);
  return path === undefined || newText === undefined
    ? []
    : [{ path, oldText: asText(part['oldText']) ?? null, newText }];
}

function readLocation(raw: Loose): FileLocation[] {
  const path = asNonEmptyString(raw['path']);
  return path === undefined ? [] : [{ path, ...present({ line: asCount(raw['line']) }) }];
}

function readPlan(plan: Loose): NativeUpdate {
  const planId = asNonEmptyString(plan['planId']) ?? 'plan';
  switch (plan['type']) {
    case 'items':
      return { kind: 'plan', entries: asRecords(plan['entries']).map(readPlanEntry) };
    case 'markdown':
      return { kind: 'plan-text', planId, text: asText(plan['content']) ?? '' };
    case 'file':
      return { kind: 'plan-text', planId, text: `[Plan](${asText(plan['uri']) ?? ''})` };
    default: {
      const text = asNonEmptyString(plan['content']);
      return {
        kind: 'unknown',
        variant: `plan_update ${asNonEmptyString(plan['type']) ?? ''}`.trim(),
        ...present({ text }),
      };
    }
  }
}

function readPlanEntry(raw: Loose): PlanEntry {
  const status = raw['status'] === 'completed' || raw['status'] === 'in_progress' ? raw['status'] : 'pending';
  return { content: asText(raw['content']) ?? '', status, ...present({ priority: asNonEmptyString(raw['priority']) }) };
}

function readCommand(raw: Loose): SlashCommand[] {
  const name = asNonEmptyString(raw['name']);
  if (name === undefined) return [];
  return [
    {
      name,
      ...present({
        description: asNonEmptyString(raw['description']),
        hint: asNonEmptyString(asRecord(raw['input'])['hint']),
      }),
    },
  ];
}

/** Text for a result given only as data; undefined if it has nothing a user would read. */
export function rawOutputText(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw === '' ? undefined : raw;
  const output = asRecord(raw);
  const error = output['error'];
  if (error !== undefined && error !== null)
    return asNonEmptyString(error) ?? asNonEmptyString(asRecord(error)['message']) ?? JSON.stringify(error);
  const reported =
    asNonEmptyString(output['output']) ??
    asNonEmptyString(output['formatted_output']) ??
    asNonEmptyString(output['stdout']);
  if (reported !== undefined) return reported;
  const texts = asList(asRecord(output['result'])['content'] ?? output['content']).map(contentText);
  return texts.length > 0 ? texts.join('\n') : undefined;
}

/** Token use in the answer to a prompt, under any of its names. */
export function readUsage(response: unknown): Usage | undefined {
  const reported = asRecord(asRecord(response)['usage']);
  const quota = asRecord(asRecord(asRecord(asRecord(response)['_meta'])['quota'])['token_count']);
  const inputTokens = asCount(reported['inputTokens']) ?? asCount(quota['input_tokens']);
  const outputTokens = asCount(reported['outputTokens']) ?? asCount(quota['output_tokens']);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return present({
    inputTokens,
    outputTokens,
    cacheReadInputTokens: asCount(reported['cachedReadTokens']),
    cacheCreationInputTokens: asCount(reported['cachedWriteTokens']),
  });
}
