import type { ToolCallUpsert, ToolKind } from '@liminal/contracts';
import { shortPath } from '../../../ui/folders/folder-path.ts';

/** A one-line description of a tool call: its verb and its target. */
export type ToolWords = {
  readonly kind: ToolKind;
  readonly verb: string;
  readonly target: string;
  /** It starts a subagent. */
  readonly isAgent: boolean;
  /** `verb` is a name without a tense, so it doesn't say whether the call is still running. */
  readonly isNamed: boolean;
};

/** Requested or failed, running, and done. */
export type Tense = 'asked' | 'doing' | 'done';
type Verb = Readonly<Record<Tense, string>>;

const verbs: Record<Exclude<ToolKind, 'other'>, Verb> = {
  read: { asked: 'Read', doing: 'Reading', done: 'Read' },
  edit: { asked: 'Edit', doing: 'Editing', done: 'Edited' },
  delete: { asked: 'Delete', doing: 'Deleting', done: 'Deleted' },
  move: { asked: 'Move', doing: 'Moving', done: 'Moved' },
  search: { asked: 'Search', doing: 'Searching', done: 'Searched' },
  execute: { asked: 'Run', doing: 'Running', done: 'Ran' },
  think: { asked: 'Think', doing: 'Thinking', done: 'Thought' },
  fetch: { asked: 'Fetch', doing: 'Fetching', done: 'Fetched' },
};

const kindByName: Record<string, ToolKind> = {
  bash: 'execute',
  edit: 'edit',
  fetch: 'fetch',
  glob: 'search',
  grep: 'search',
  multiedit: 'edit',
  notebookedit: 'edit',
  read: 'read',
  shell: 'execute',
  webfetch: 'fetch',
  websearch: 'search',
  write: 'edit',
};

const agentNames = new Set(['task', 'agent', 'subagent', 'spawn_agent', 'workflow']);

const kindOf = (call: ToolCallUpsert): ToolKind => call.toolKind ?? kindByName[call.toolName.toLowerCase()] ?? 'other';

function firstText(values: Record<string, unknown>, names: readonly string[]): string {
  for (const name of names) {
    const value = values[name];
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string'))
      return value.join(' ');
  }
  return '';
}

/** The command of a call, as a user would type it. */
export const commandOf = (values: Record<string, unknown>): string => firstText(values, ['command', 'cmd', 'script']);

function filesOf(call: ToolCallUpsert, projectDir: string): string {
  const named = firstText(call.toolArguments, ['file_path', 'path', 'filePath', 'notebook_path', 'abs_path']);
  const paths = [call.diffs?.map((diff) => diff.path), call.locations?.map((place) => place.path), [named]];
  const found = [...new Set(paths.find((list) => list?.some((path) => path !== '')) ?? [])];
  const first = shortPath(found[0] ?? '', projectDir);
  return found.length > 1 ? `${first} and ${found.length - 1} more` : first;
}

function targetOf(kind: ToolKind, call: ToolCallUpsert, projectDir: string): string {
  switch (kind) {
    case 'execute':
      return commandOf(call.toolArguments);
    case 'search':
      return firstText(call.toolArguments, ['pattern', 'query', 'q', 'regex', 'glob']);
    case 'fetch':
      return firstText(call.toolArguments, ['url', 'uri', 'href']);
    case 'read':
    case 'edit':
    case 'delete':
    case 'move':
      return filesOf(call, projectDir);
    case 'think':
    case 'other':
      return firstText(call.toolArguments, ['description', 'title', 'prompt']);
  }
}

/** `mcp__server__tool` reads as "server tool". */
const readableName = (name: string): string =>
  name.startsWith('mcp__') ? name.slice('mcp__'.length).replaceAll('__', ' ') : name;

/** The call's own title, without the verb it may start with. */
function titleWithout(verb: string, title: string): string {
  const isRepeated = [' ', ': '].find((gap) => title.toLowerCase().startsWith(verb.toLowerCase() + gap));
  if (title === verb) return '';
  return isRepeated === undefined ? title : title.slice(verb.length + isRepeated.length);
}

/** Describes a tool call on one line without markup, whatever the agent calls the tool. */
export function describeTool(call: ToolCallUpsert, projectDir: string, tense: Tense = 'done'): ToolWords {
  const [question, ...more] = call.questions ?? [];
  if (question !== undefined) {
    const target = question.question.replace(/\s+/g, ' ').trim();
    return {
      kind: 'other',
      verb: 'Asked you',
      target: more.length > 0 ? `${target} and ${more.length} more` : target,
      isAgent: false,
      isNamed: true,
    };
  }
  const kind = kindOf(call);
  const isAgent = agentNames.has(call.toolName.toLowerCase());
  const isNamed = isAgent || kind === 'other';
  const name = isAgent ? 'Agent' : readableName(call.toolName);
  const verb = isAgent || kind === 'other' ? name : verbs[kind][tense];
  const title = (call.title ?? '').replace(/^`|`$/g, '');
  const plain = isAgent || kind === 'other' ? name : verbs[kind].asked;
  const target = targetOf(kind, call, projectDir) || titleWithout(plain, title === call.toolName ? '' : title);
  return { kind, verb, target: target.replace(/\s+/g, ' ').trim(), isAgent, isNamed };
}
