import { CliType } from '@liminal/contracts';
import { z } from 'zod';
import { acpCapabilities, type AgentSpec } from './agent-spec.ts';
import { asRecord, asNonEmptyString } from '../../kit/read-json.ts';

/** An entry that can't be used, with a message that names it and the field. */
export type AgentProblem = { readonly id?: string; readonly name?: string; readonly problem: string };

export type AgentsRead = { readonly specs: readonly AgentSpec[]; readonly problems: readonly AgentProblem[] };

const Text = z.string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be a string') });

const Command = Text.min(1, 'must not be empty')
  .refine((command) => command.includes('/') || !/\s/.test(command), 'has spaces: put the arguments into "args"')
  .refine(
    (command) => !command.includes('/') || /^(\/|~\/)/.test(command),
    'must be a full path (starting with / or ~/) or the name of a program in PATH',
  );

const Entry = z.strictObject({
  id: CliType,
  name: Text.min(1, 'must not be empty').optional(),
  command: Command,
  args: z.array(Text, 'must be a list of strings').default([]),
  env: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "isn't a valid variable name"), Text, {
      error: 'must be an object of strings',
    })
    .default({}),
  /** It uses files, or runs commands, through us. */
  files: z.boolean('must be true or false').default(false),
  terminals: z.boolean('must be true or false').default(false),
});

/** Reads `agents.json`: a list of entries. A bad entry doesn't affect the others. `taken` are ids already in use. */
export function readAgentsFile(text: string, taken: ReadonlySet<string>): AgentsRead {
  const parsed = parseJson(text);
  if ('problem' in parsed) return { specs: [], problems: [parsed] };
  if (!Array.isArray(parsed.value)) {
    return { specs: [], problems: [{ problem: 'it must be a list: [{"id": …, "name": …, "command": …}]' }] };
  }
  const specs = new Map<string, AgentSpec>();
  const problems: AgentProblem[] = [];
  for (const [index, raw] of parsed.value.entries()) {
    const id = asNonEmptyString(asRecord(raw)['id']);
    const place = id === undefined ? `entry ${index + 1}` : `entry ${index + 1} ("${id}")`;
    const refuse = (problem: string): void => {
      const isFree = CliType.safeParse(id).success && !taken.has(id ?? '') && !specs.has(id ?? '');
      const name = asNonEmptyString(asRecord(raw)['name']);
      problems.push({ problem: `${place}: ${problem}`, ...(isFree && id && { id }), ...(isFree && name && { name }) });
    };
    const read = Entry.safeParse(raw);
    if (!read.success) refuse(read.error.issues.map(describeIssue).join('; '));
    else if (taken.has(read.data.id)) refuse(`"id" belongs to a built-in agent; choose another`);
    else if (specs.has(read.data.id)) refuse(`"id" is used twice`);
    else specs.set(read.data.id, specOf(read.data));
  }
  return { specs: [...specs.values()], problems };
}

function specOf({ id, name = id, command, args, env, files, terminals }: z.infer<typeof Entry>): AgentSpec {
  return {
    id,
    name,
    command,
    args,
    env,
    family: 'none',
    capabilities: acpCapabilities,
    usesFiles: files,
    usesTerminals: terminals,
    installHint: `"${command}" isn't installed here. Install it, or correct "command" in agents.json.`,
  };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return `${issue.keys.map((key) => `"${key}"`).join(', ')} isn't supported here`;
  const field = issue.path.map((part, at) => (at === 0 ? String(part) : `[${String(part)}]`)).join('');
  const problem = issue.message.replace(/^Invalid input: expected (\w+), received (\w+)$/, (_, expected, received) =>
    received === 'undefined' ? 'is missing' : `must be of type ${expected}`,
  );
  return field === '' ? problem : `"${field}" ${problem}`;
}

/** The value, or where the text isn't valid JSON. */
export function parseJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: `it isn't valid JSON (${withoutQuote((error as Error).message)})` };
  }
}

/** Node quotes the text around the error, which in these files may be an API key. */
const withoutQuote = (message: string): string =>
  message.replace(/(^|, )(\.\.\.)?"[\s\S]*"(\.\.\.)? is not valid JSON$/, '') || 'it cannot be read';
