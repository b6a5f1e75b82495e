import type { AskedQuestion, FileDiff, FileLocation, PlanEntry, ToolKind } from '@liminal/contracts';
import { asCount, asList, asOptionalRecord, asRecord, asText, inTable, type Loose } from '../../kit/read-json.ts';

/** What a call is about, read from its name and arguments, in the page's terms. */
export type ToolShape = {
  readonly title: string;
  readonly toolKind: ToolKind;
  readonly diffs?: FileDiff[];
  readonly locations?: FileLocation[];
  readonly questions?: AskedQuestion[];
};

/** Tools whose arguments are the plan itself: shown as a plan, not as a call. */
export const isPlanTool = (name: string): boolean => name === 'TodoWrite';

const kinds: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  LSP: 'read',
  ReadMcpResourceTool: 'read',
  ReadMcpResourceDirTool: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Glob: 'search',
  Grep: 'search',
  ToolSearch: 'search',
  WebSearch: 'fetch',
  WebFetch: 'fetch',
  Bash: 'execute',
  BashOutput: 'execute',
  PowerShell: 'execute',
  KillShell: 'execute',
  Monitor: 'execute',
  Task: 'think',
  Agent: 'think',
  Workflow: 'think',
  ExitPlanMode: 'think',
  EnterPlanMode: 'think',
};

export const toolKindOf = (name: string): ToolKind => inTable(kinds, name) ?? 'other';

const pathOf = (input: Loose): string | undefined => asText(input['file_path']) ?? asText(input['notebook_path']);

/** The file an edit tool names. */
export function editedFiles(name: string, input: unknown): string[] {
  const path = toolKindOf(name) === 'edit' ? pathOf(asRecord(input)) : undefined;
  return path === undefined ? [] : [path];
}

export function shapeOf(name: string, input: Loose): ToolShape {
  const path = pathOf(input);
  const line = asCount(input['offset']);
  const diffs = diffsOf(name, input);
  return {
    title: titleOf(name, input, path),
    toolKind: toolKindOf(name),
    ...(diffs.length > 0 && { diffs }),
    ...(path && { locations: [line === undefined ? { path } : { path, line }] }),
    ...(name === 'AskUserQuestion' && { questions: questionsOf(input).map((question) => ({ question })) }),
  };
}

function titleOf(name: string, input: Loose, path: string | undefined): string {
  const about =
    path ??
    asText(input['command']) ??
    asText(input['pattern']) ??
    asText(input['url']) ??
    asText(input['query']) ??
    asText(input['description']) ??
    asText(input['skill']) ??
    asText(input['subject']) ??
    asText(asRecord(asList(input['questions'])[0])['question']);
  return about ? `${readableName(name)}: ${firstLine(about)}` : readableName(name);
}

/** `mcp__server__tool` reads as "server tool". */
export const readableName = (name: string): string =>
  name.startsWith('mcp__') ? name.slice('mcp__'.length).replaceAll('__', ' ') : name;

function firstLine(text: string): string {
  const line = text.trimStart().split('\n', 1)[0] ?? '';
  return line.length > 120 ? `${line.slice(0, 119).toWellFormed()}…` : line;
}

/** The questions of a call that asks the user. */
export const questionsOf = (input: Loose): string[] =>
  asList(input['questions']).flatMap((entry) => asText(asRecord(entry)['question']) ?? []);

function diffsOf(name: string, input: Loose): FileDiff[] {
  const path = pathOf(input);
  if (!path) return [];
  switch (name) {
    case 'Write':
      return [{ path, oldText: null, newText: asText(input['content']) ?? '' }];
    case 'Edit':
      return [editOf(path, input)];
    case 'MultiEdit':
      return asList(input['edits']).flatMap((entry) => {
        const edit = asOptionalRecord(entry);
        return edit ? [editOf(path, edit)] : [];
      });
    case 'NotebookEdit':
      // The text of one cell, not of the file.
      return [{ path, oldText: '', newText: asText(input['new_source']) ?? '' }];
    default:
      return [];
  }
}

const editOf = (path: string, edit: Loose): FileDiff => ({
  path,
  oldText: asText(edit['old_string']) ?? '',
  newText: asText(edit['new_string']) ?? '',
  ...(edit['replace_all'] === true && { everywhere: true }),
});

/** The steps of a plan, or undefined if the arguments aren't one. */
export function planEntriesOf(input: Loose): PlanEntry[] | undefined {
  if (!Array.isArray(input['todos'])) return undefined;
  return input['todos'].flatMap((entry): PlanEntry[] => {
    const todo = asOptionalRecord(entry);
    const content = asText(todo?.['content']) ?? asText(todo?.['activeForm']);
    if (content === undefined) return [];
    const status = asText(todo?.['status']);
    return [{ content, status: status === 'in_progress' || status === 'completed' ? status : 'pending' }];
  });
}

/** A tool's output as text; other content is named, so nothing looks lost. */
export function outputText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map(partText).join('\n');
}

function partText(part: unknown): string {
  const fields = asOptionalRecord(part);
  if (!fields) return asText(part) ?? JSON.stringify(part) ?? '';
  switch (fields['type']) {
    case 'text':
      return asText(fields['text']) ?? '';
    case 'image':
      return `[image${mediaType(fields)}]`;
    case 'document':
      return `[document${mediaType(fields)}]`;
    case 'tool_reference':
      return asText(fields['tool_name']) ?? '';
    case 'web_search_result':
      return `${asText(fields['title']) ?? ''} ${asText(fields['url']) ?? ''}`.trim();
    default:
      return JSON.stringify(part);
  }
}

function mediaType(fields: Loose): string {
  const type = asText(asRecord(fields['source'])['media_type']);
  return type ? ` ${type}` : '';
}
