import type { FileDiff, PermissionRequest } from '@liminal/contracts';

/** One argument of the tool call. */
export type AskedValue = {
  readonly name: string;
  readonly text: string;
  /** Long, or already part of a change shown above: the user can expand it. */
  readonly isCollapsed: boolean;
};

/** Everything a request asks for, each thing once, in the order in which the card shows it. */
export type Asked = {
  readonly command: string | undefined;
  /** The agent's own description. */
  readonly says: readonly string[];
  readonly plan: string | undefined;
  readonly diffs: readonly FileDiff[];
  readonly values: readonly AskedValue[];
};

const longestValue = 400;
const mostLines = 6;
/** Places come first; the rest is sorted by name, so the agent can't choose what the user sees last. */
const first = ['file_path', 'path', 'notebook_path', 'cwd', 'workdir', 'directory', 'url'];

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The full command that would run, with its arguments quoted; undefined if the request isn't about a command. */
export function commandOf({ toolArguments }: PermissionRequest): string | undefined {
  const command = toolArguments?.['command'];
  if (typeof command === 'string') return command;
  const isArgumentList =
    Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === 'string');
  return isArgumentList ? command.map(quoted).join(' ') : undefined;
}

/**
 * The parts of a request. `isToolSaid`: the card's title says what the tool does. Values shown verbatim elsewhere on
 * the card are left out.
 */
export function askedOf(request: PermissionRequest, isToolSaid: boolean): Asked {
  const { kind, title, toolName, diffs = [], toolArguments = {} } = request;
  const command = commandOf(request);
  const argument = (name: string): string | undefined => {
    const value = toolArguments[name];
    return typeof value === 'string' ? value : undefined;
  };
  const plan = kind === 'plan' ? (argument('plan') ?? request.description) : undefined;
  // For a command or a change, the card's own title replaces the agent's.
  const isTitleShown = command === undefined && diffs.length === 0;
  const descriptions = [command === undefined ? undefined : argument('description'), request.description];
  const says = [...new Set([...(isTitleShown ? [] : [ownTitle(request)]), ...descriptions])].filter(
    (text) => text !== undefined && text !== plan && (!isTitleShown || text !== title),
  );
  const isShown = (name: string, value: unknown): boolean =>
    (name === 'command' && command !== undefined) ||
    (name === 'description' && command !== undefined) ||
    (name === 'plan' && value === plan) ||
    (name === 'questions' && kind === 'question') ||
    diffs.some(({ path }) => path === value);
  const isNamed = isToolSaid || (isTitleShown && title.includes(toolName ?? ''));
  const isUnnamed = kind === 'tool' && toolName !== undefined && !isNamed;
  const values = Object.entries(toolArguments)
    .filter(([name, value]) => !isShown(name, value))
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
    .map(([name, value]) => asValue(name, value, diffs));
  return {
    says: says as string[],
    command,
    plan,
    diffs,
    values: [...(isUnnamed ? [asValue('tool', toolName, [])] : []), ...values],
  };
}

/** The agent's title, if it says more than the command or the path. */
function ownTitle(request: PermissionRequest): string | undefined {
  const { title, toolName, diffs = [] } = request;
  const named = [
    commandOf(request),
    ...diffs.map(({ path }) => path),
    ...diffs.map(({ path }) => path.split('/').at(-1)),
  ];
  const isRepeated =
    title === toolName || named.some((part) => part !== undefined && part !== '' && title.includes(part));
  return isRepeated ? undefined : title;
}

const rankOf = (name: string): number => {
  const place = first.indexOf(name);
  return place < 0 ? first.length : place;
};

function asValue(name: string, value: unknown, diffs: readonly FileDiff[]): AskedValue {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  const isLong = text.length > longestValue || text.split('\n', mostLines + 1).length > mostLines;
  const isInChange =
    typeof value === 'string' &&
    value !== '' &&
    diffs.some(({ oldText, newText }) => newText.includes(value) || (oldText ?? '').includes(value));
  return { name, text, isCollapsed: isLong || isInChange };
}
