import { join } from 'node:path';

/** The file of an agent's sign-in, and the variables that replace one. */
const places: Readonly<
  Record<string, { readonly file: readonly [string, string, string]; readonly keys: readonly string[] }>
> = {
  'claude-code': {
    file: ['CLAUDE_CONFIG_DIR', '.claude', '.credentials.json'],
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
  },
  codex: { file: ['CODEX_HOME', '.codex', 'auth.json'], keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'] },
};

export type SignInMachine = {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: string;
  readonly exists: (file: string) => boolean;
};

/** Whether an agent seems to be signed in, without starting it. Undefined if that is unknown. */
export function seemsSignedIn(cliType: string, { env, home, platform, exists }: SignInMachine): boolean | undefined {
  const place = Object.hasOwn(places, cliType) ? places[cliType] : undefined;
  if (!place) return undefined;
  if (place.keys.some((key) => (env[key] ?? '') !== '')) return true;
  const [variable, folder, name] = place.file;
  if (exists(join(env[variable] || join(home, folder), name))) return true;
  // macOS uses the keychain, which we must not read.
  return platform === 'darwin' && cliType === 'claude-code' ? undefined : false;
}
