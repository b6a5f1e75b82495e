import type { FileDiff, FileLocation, ToolArguments, ToolKind } from '@liminal/contracts';
import {
  asAmount,
  asList,
  asNonEmptyString,
  asRecord,
  asRecords,
  asText,
  asTexts,
  isRecord,
  type Loose,
  present,
} from '../../kit/read-json.ts';
import { contentText } from '../../acp/translate/native.ts';
import { commandText } from './command-text.ts';
import { diffsOfChanges } from './file-changes.ts';

/** One tool call of Codex, of any item type. */
export type NativeCall = {
  readonly callId: string;
  readonly toolName: string;
  readonly title?: string;
  readonly kind: ToolKind;
  readonly toolArguments?: ToolArguments;
  readonly diffs?: readonly FileDiff[];
  readonly locations?: readonly FileLocation[];
  /** Its full output, if known. */
  readonly output?: string;
  readonly state: 'running' | 'completed' | 'failed' | 'declined';
  readonly durationMs?: number;
};

export type NativeItem =
  | { readonly type: 'message' | 'thinking' | 'plan'; readonly id: string; readonly text: string }
  | {
      readonly type: 'user';
      readonly id: string;
      readonly text: string;
      readonly images: number;
      readonly clientId?: string;
    }
  | { readonly type: 'call'; readonly call: NativeCall }
  | { readonly type: 'note'; readonly id: string; readonly text: string }
  /** The end of a review: its text is sent again as a separate message. */
  | { readonly type: 'reviewed' }
  | { readonly type: 'silent' }
  | { readonly type: 'unknown'; readonly name: string };

/** Reads one item of a turn. Anything unreadable is `unknown` with its name. */
export function readItem(raw: unknown): NativeItem {
  const item = asRecord(raw);
  const type = asNonEmptyString(item['type']) ?? 'nameless';
  const id = asNonEmptyString(item['id']);
  if (id === undefined) return { type: 'unknown', name: `${type} without id` };
  switch (type) {
    case 'userMessage':
      return readUserMessage(id, item);
    case 'agentMessage':
      return { type: 'message', id, text: asText(item['text']) ?? '' };
    case 'plan':
      return { type: 'plan', id, text: asText(item['text']) ?? '' };
    case 'reasoning':
      return { type: 'thinking', id, text: reasoningText(item) };
    case 'enteredReviewMode':
      return { type: 'note', id, text: `Review: ${asText(item['review']) ?? ''}`.trim() };
    case 'exitedReviewMode':
      return { type: 'reviewed' };
    case 'contextCompaction':
      return { type: 'note', id, text: 'The context was compacted.' };
    case 'hookPrompt':
    case 'sleep':
    case 'subAgentActivity':
    case 'functionCallOutput':
      return { type: 'silent' };
    default: {
      const call = readCall(type, id, item);
      return call ? { type: 'call', call } : { type: 'unknown', name: type };
    }
  }
}

/** The summary if there is one, otherwise the thoughts themselves. */
function reasoningText(item: Loose): string {
  const summary = asTexts(item['summary']).filter((part) => part !== '');
  return (summary.length > 0 ? summary : asTexts(item['content'])).join('\n\n');
}

function readUserMessage(id: string, item: Loose): NativeItem {
  const parts = asRecords(item['content']);
  const texts = parts.flatMap((part) => (part['type'] === 'text' ? [asText(part['text']) ?? ''] : []));
  const images = parts.filter((part) => part['type'] === 'image' || part['type'] === 'localImage').length;
  return {
    type: 'user',
    id,
    text: texts.join('\n'),
    images,
    ...present({ clientId: asNonEmptyString(item['clientId']) }),
  };
}

function readCall(type: string, id: string, item: Loose): NativeCall | undefined {
  const base = {
    callId: id,
    state: stateOf(item['status']),
    ...present({ durationMs: asAmount(item['durationMs']) }),
  };
  switch (type) {
    case 'commandExecution':
      return { ...base, ...readCommand(item) };
    case 'fileChange': {
      const diffs = diffsOfChanges(item['changes']);
      return {
        ...base,
        toolName: 'apply_patch',
        title: 'Edit files',
        kind: 'edit',
        ...(diffs.length > 0 && { diffs }),
      };
    }
    case 'mcpToolCall': {
      const server = asNonEmptyString(item['server']) ?? 'server';
      const tool = asNonEmptyString(item['tool']) ?? 'tool';
      const toolArguments = readArguments(item['arguments']);
      return {
        ...base,
        toolName: `mcp__${server}__${tool}`,
        title: `${server} ${tool}`,
        kind: 'other',
        ...present({ toolArguments, output: resultText(item) }),
      };
    }
    case 'dynamicToolCall': {
      const toolName = asNonEmptyString(item['tool']) ?? 'tool';
      const output = asRecords(item['contentItems']).map((part) => asText(part['text']) ?? contentText(part));
      return {
        ...base,
        toolName,
        kind: 'other',
        ...present({
          toolArguments: readArguments(item['arguments']),
          output: output.length > 0 ? output.join('\n') : undefined,
        }),
      };
    }
    case 'collabAgentToolCall': {
      const prompt = asNonEmptyString(item['prompt']);
      const toolArguments = present({ prompt, model: asNonEmptyString(item['model']) });
      const toolName = item['tool'] === 'spawnAgent' ? 'spawn_agent' : (asNonEmptyString(item['tool']) ?? 'agent');
      return { ...base, toolName, kind: 'think', toolArguments };
    }
    case 'webSearch': {
      const query = asNonEmptyString(item['query']) ?? '';
      // A web search has no status: it starts and then completes.
      return {
        ...base,
        toolName: 'web_search',
        title: query,
        kind: 'search',
        toolArguments: { query },
        state: 'running',
      };
    }
    case 'imageView': {
      const path = asNonEmptyString(item['path']) ?? '';
      return {
        ...base,
        toolName: 'view_image',
        title: path,
        kind: 'read',
        locations: path === '' ? [] : [{ path }],
        state: 'running',
      };
    }
    case 'imageGeneration':
      return { ...base, toolName: 'image_generation', kind: 'other' };
    default:
      return undefined;
  }
}

function stateOf(status: unknown): NativeCall['state'] {
  return status === 'completed' || status === 'failed' || status === 'declined' ? status : 'running';
}

/** A command that only reads, lists or searches is shown as that; any other as the command itself. */
function readCommand(item: Loose): Omit<NativeCall, 'callId' | 'state'> {
  const command = commandText(asText(item['command']) ?? '');
  const cwd = asNonEmptyString(item['cwd']);
  const [action, ...more] = asRecords(item['commandActions']);
  const path = asNonEmptyString(action?.['path']);
  const query = asNonEmptyString(action?.['query']);
  const shown = {
    toolName: 'exec_command',
    toolArguments: { command, ...present({ cwd }) },
    ...present({ output: asText(item['aggregatedOutput']) }),
  };
  switch (more.length === 0 ? action?.['type'] : undefined) {
    case 'read':
      return { ...shown, kind: 'read', title: `Read ${path ?? command}`, ...(path && { locations: [{ path }] }) };
    case 'listFiles':
      return { ...shown, kind: 'search', title: path === undefined ? 'List files' : `List files in ${path}` };
    case 'search': {
      const target = [query, path].filter((part) => part !== undefined).join(' in ');
      return {
        ...shown,
        kind: 'search',
        title: target === '' ? command : target,
        toolArguments: { ...shown.toolArguments, ...present({ query }) },
      };
    }
    default:
      return { ...shown, kind: 'execute', title: command };
  }
}

function readArguments(raw: unknown): ToolArguments | undefined {
  if (isRecord(raw)) return raw;
  return raw === undefined || raw === null || raw === '' ? undefined : { input: raw };
}

function resultText(item: Loose): string | undefined {
  const error = asNonEmptyString(asRecord(item['error'])['message']);
  if (error !== undefined) return error;
  const parts = asList(asRecord(item['result'])['content']).map(contentText);
  return parts.length > 0 ? parts.join('\n') : undefined;
}
