import { asRecord, asRecords, asTexts, asNonEmptyString, isRecord, type Loose } from '../../kit/read-json.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';

type LoginSubject = Pick<AgentSpec, 'name'> & Partial<Pick<AgentSpec, 'login' | 'command' | 'args'>>;

/**
 * How a user signs in, one step per line: what we know of the agent, then what it offers in `authMethods`. Commands are
 * in backticks.
 */
export function loginSteps(agent: LoginSubject, authMethods: unknown): string {
  const { login = {} } = agent;
  const methods = asRecords(authMethods);
  const offered = methods.filter((method) => !(isKeyMethod(method) && login.keys)).flatMap(methodStep(agent));
  const command = login.command;
  const steps = [
    ...(command === undefined ? [] : [`Run \`${command}\` in a terminal.`]),
    ...(login.keys ? [`Set ${login.keys.join(' or ')} and restart Liminal Builder.`] : []),
    // A step that names the same command again adds nothing.
    ...offered.filter((step) => command === undefined || !step.includes(command)),
  ];
  if (steps.length === 0) {
    return `${agent.name} isn't signed in. Sign in with its own command in a terminal, or set its API key, then try again.`;
  }
  return [`${agent.name} isn't signed in. Do one of these, then try again:`, ...steps.map((step) => `• ${step}`)].join(
    '\n',
  );
}

/** The agent's own method of reading a key from its environment, if a key is set. */
export function keyMethod(
  { login }: Pick<AgentSpec, 'login'>,
  authMethods: unknown,
  env: Readonly<Record<string, string>>,
): string | undefined {
  if (!login?.keys?.some((name) => (env[name] ?? '').trim() !== '')) return undefined;
  return asNonEmptyString(asRecords(authMethods).find(isKeyMethod)?.['id']);
}

const isKeyMethod = (method: Loose): boolean =>
  isRecord(asRecord(method['_meta'])['api-key']) || /api[-_]?key/i.test(asNonEmptyString(method['id']) ?? '');

const methodStep =
  ({ command, args = [] }: LoginSubject) =>
  (method: Loose): string[] => {
    const name = asNonEmptyString(method['name']);
    const description = asNonEmptyString(method['description']);
    if (method['type'] === 'terminal' && command !== undefined) {
      const line = [command, ...args, ...asTexts(method['args'])].map(quoted).join(' ');
      return [`${name ?? 'Sign in'}: run \`${line}\` in a terminal.`];
    }
    if (name === undefined) return [];
    return [description === undefined || description === name ? `${name}.` : `${name}: ${description}`];
  };

const quoted = (word: string): string => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
