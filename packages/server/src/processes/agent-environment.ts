/** Which secrets an agent may get: `any` for agents that support several model vendors, `none` for unknown ones. */
export type AgentFamily = 'claude' | 'codex' | 'gemini' | 'demo' | 'any' | 'none';

const names = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' '));

/** The everyday variables a terminal has. */
const everyday = names(
  'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM COLORTERM TMPDIR TMP TEMP TZ',
  'SSH_AUTH_SOCK DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS',
  'EDITOR VISUAL PAGER GIT_EDITOR GIT_PAGER',
);

const toolchains = names(
  'JAVA_HOME GRADLE_HOME GRADLE_USER_HOME MAVEN_HOME M2_HOME SDKMAN_DIR ANDROID_HOME ANDROID_SDK_ROOT',
  'GOPATH GOROOT GOBIN GOPROXY CARGO_HOME RUSTUP_HOME DOTNET_ROOT FLUTTER_ROOT',
  'NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_DIR DENO_INSTALL COREPACK_HOME',
  'VIRTUAL_ENV PYENV_ROOT CONDA_PREFIX CONDA_DEFAULT_ENV CONDA_EXE UV_CACHE_DIR PIPX_HOME POETRY_HOME',
  'RBENV_ROOT GEM_HOME GEM_PATH ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR HOMEBREW_PREFIX NIX_PATH NIX_PROFILES',
);

const network = names(
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy',
  'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO NIX_SSL_CERT_FILE',
);

const allowed = new Set([...everyday, ...toolchains, ...network, 'NO_BROWSER', 'INITIAL_AGENT_MODE']);
const allowedPrefixes = ['LC_', 'XDG_'];

const familyPrefixes: Record<AgentFamily, readonly string[]> = {
  claude: ['ANTHROPIC_', 'CLAUDE_'],
  codex: ['OPENAI_', 'CODEX_'],
  gemini: ['GEMINI_', 'GOOGLE_'],
  demo: ['LIMINAL_DEMO_'],
  any: ['ANTHROPIC_', 'CLAUDE_', 'OPENAI_', 'CODEX_', 'GEMINI_', 'GOOGLE_'],
  none: [],
};

/**
 * Our own variables, and those that would make an agent believe it runs inside another. Never passed, not even by name.
 */
const never = new Set(['LIMINAL_TOKEN', 'CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SSE_PORT']);

/**
 * The environment of an agent: the variables of a terminal and the secrets of its own family. Anything else only if
 * `LIMINAL_AGENT_ENV` names it. `own` are prefixes of variables that belong to this agent.
 */
export function agentEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { family, own = [] }: { readonly family: AgentFamily; readonly own?: readonly string[] },
): Record<string, string> {
  const byName = new Set((env['LIMINAL_AGENT_ENV'] ?? '').split(',').map((name) => name.trim()));
  const prefixes = [...allowedPrefixes, ...familyPrefixes[family], ...own];
  const passes = (name: string): boolean =>
    !never.has(name) && (allowed.has(name) || byName.has(name) || prefixes.some((prefix) => name.startsWith(prefix)));
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && passes(name)) passed[name] = value;
  return passed;
}
