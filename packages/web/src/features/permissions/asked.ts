import type { FileDiff, PermissionRequest } from '@liminal/contracts';

/** One argument of what would be done. */
export type AskedValue = {
  readonly name: string;
  readonly text: string;
  /** Long, or in a change shown above it: it is there to expand. */
  readonly isCollapsed: boolean;
};

/** Everything a request asks for, each thing once. The card shows the parts in the order they are here. */
export type Asked = {
  readonly command: string | undefined;
  /** What the agent says of it, in its own words. */
  readonly says: readonly string[];
  readonly plan: string | undefined;
  readonly diffs: readonly FileDiff[];
  readonly values: readonly AskedValue[];
};

const longestValue = 400;
const mostLines = 6;
/** Where something is done is before how; the rest follows by name, so no agent chooses what is seen last. */
const first = ['file_path', 'path', 'notebook_path', 'cwd', 'workdir', 'directory', 'url'];

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The whole command that would run, with its words marked; nothing when the request is about something else. */
export function commandOf({ toolArguments }: PermissionRequest): string | undefined {
  const command = toolArguments?.['command'];
  if (typeof command === 'string') return command;
  const isArgumentList =
    Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === 'string');
  return isArgumentList ? command.map(quoted).join(' ') : undefined;
}

/** Takes a request apart; `isToolSaid` where the card's title says what the tool does. Only what is shown word for word elsewhere on the card is left out of the values. */
export function askedOf(request: PermissionRequest, isToolSaid: boolean): Asked {
  const { kind, title, toolName, diffs = [], toolArguments = {} } = request;
  const command = commandOf(request);
  const argument = (name: string): string | undefined => {
    const value = toolArguments[name];
    return typeof value === 'string' ? value : undefined;
  };
  const plan = kind === 'plan' ? (argument('plan') ?? request.description) : undefined;
  // The card's own title is in place of the agent's where there is a command or a change.
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

/** The agent's title, where it says more than the command or the path. */
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
