import type { FileDiff, PermissionRequest } from '@liminal/contracts';

/** One argument of what would be done. */
export type AskedValue = {
  readonly name: string;
  readonly text: string;
  /** Long, or in a change shown above it: it is there to unfold. */
  readonly isFolded: boolean;
};

/** Everything a request asks for, each thing once. The card shows the parts in the order they stand here. */
export type Asked = {
  readonly description: string | undefined;
  readonly command: string | undefined;
  /** What the agent says the command is for. */
  readonly purpose: string | undefined;
  readonly plan: string | undefined;
  readonly diffs: readonly FileDiff[];
  readonly values: readonly AskedValue[];
};

const longestValue = 400;
const mostLines = 6;
/** Where something is done stands before how; the rest follows by name, so that no agent chooses what is seen last. */
const first = ['file_path', 'path', 'notebook_path', 'cwd', 'workdir', 'directory', 'url'];

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The command that would run, whole, its words told apart; nothing when the request is about something else. */
export function commandOf({ toolArguments }: PermissionRequest): string | undefined {
  const command = toolArguments?.['command'];
  if (typeof command === 'string') return command;
  const isWords = Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === 'string');
  return isWords ? command.map(quoted).join(' ') : undefined;
}

/** A title that only repeats the command below it says nothing. */
export function headingOf(request: PermissionRequest): string {
  const { title, toolName } = request;
  const command = commandOf(request);
  if (command === undefined || !title.endsWith(command)) return title;
  return toolName === undefined ? 'Run this command?' : `Run this command with ${toolName}?`;
}

/** Takes a request apart. Only what is shown word for word elsewhere on the card is left out of the values. */
export function askedOf(request: PermissionRequest): Asked {
  const { kind, title, toolName, diffs = [], toolArguments = {} } = request;
  const command = commandOf(request);
  const argument = (name: string): string | undefined => {
    const value = toolArguments[name];
    return typeof value === 'string' ? value : undefined;
  };
  const purpose = command === undefined ? undefined : argument('description');
  const plan = kind === 'plan' ? (argument('plan') ?? request.description) : undefined;
  const description = [title, plan].includes(request.description) ? undefined : request.description;
  const isShown = (name: string, value: unknown): boolean =>
    (name === 'command' && command !== undefined) ||
    (name === 'description' && purpose !== undefined) ||
    (name === 'plan' && value === plan) ||
    (name === 'questions' && kind === 'question') ||
    diffs.some(({ path }) => path === value);
  const isUnnamed = kind === 'tool' && toolName !== undefined && !headingOf(request).includes(toolName);
  const values = Object.entries(toolArguments)
    .filter(([name, value]) => !isShown(name, value))
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
    .map(([name, value]) => asValue(name, value, diffs));
  const isRepeated = purpose === title || purpose === description;
  return {
    description,
    command,
    purpose: isRepeated ? undefined : purpose,
    plan,
    diffs,
    values: [...(isUnnamed ? [asValue('tool', toolName, [])] : []), ...values],
  };
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
  return { name, text, isFolded: isLong || isInChange };
}
