type Environment = Readonly<Record<string, string | undefined>>;

const variable = 'LIMINAL_AGENT_ENV';

export const namesIn = (env: Environment): string[] =>
  (env[variable] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The server's environment for starting agents, with the names a person added in the page, read anew at each start. */
export function editableEnvironment(env: Environment, added: () => readonly string[]): NodeJS.ProcessEnv {
  const given = namesIn(env);
  return Object.defineProperty({ ...env }, variable, {
    enumerable: true,
    get: () => [...new Set([...given, ...added()])].join(','),
  });
}
