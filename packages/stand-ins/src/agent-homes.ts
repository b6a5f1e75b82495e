import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** A folder that lasts as long as one test or benchmark. */
export interface TemporaryFolder {
  readonly dir: string;
  cleanup(): void;
}

/** A home for one agent run offline. `env` is everything the agent gets, so no machine settings leak in. */
export interface AgentHome extends TemporaryFolder {
  readonly env: Readonly<Record<string, string>>;
}

/** The stand-in model's address, as `startStandInModel` returns it. */
export interface ModelAddress {
  readonly baseUrl: string;
}

export type CodexMode = 'read-only' | 'workspace-write' | 'agent' | 'agent-full-access';

/** A home where Claude Code talks to the stand-in, needs no account and uses no network. */
export function claudeHome(model: ModelAddress): AgentHome {
  const home = freshHome('claude');
  return withEnv(home, {
    ANTHROPIC_BASE_URL: model.baseUrl,
    ANTHROPIC_API_KEY: 'stand-in',
    CLAUDE_CONFIG_DIR: folder(home, '.claude'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
    DISABLE_AUTOUPDATER: '1',
    // Without it Claude Code refuses to bypass permissions as root, and containers run tests as root.
    IS_SANDBOX: '1',
  });
}

/** A home where Codex talks to the stand-in. This default mode asks the user; Codex's own asks a reviewer model. */
export function codexHome(model: ModelAddress, { mode = 'read-only' }: { mode?: CodexMode } = {}): AgentHome {
  const home = freshHome('codex');
  const codex = folder(home, '.codex');
  writeFileSync(join(codex, 'config.toml'), codexConfig(model));
  return withEnv(home, { CODEX_HOME: codex, NO_BROWSER: '1', INITIAL_AGENT_MODE: mode });
}

/** A home where opencode talks to the stand-in and asks before it runs or writes anything. */
export function opencodeHome(model: ModelAddress): AgentHome {
  const home = freshHome('opencode');
  const config = join(folder(home, '.config/opencode'), 'opencode.json');
  const standIn = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Stand-in',
    options: { baseURL: `${model.baseUrl}/v1`, apiKey: 'stand-in' },
    models: { 'stand-in': { name: 'Stand-in', tool_call: true, reasoning: true } },
  };
  writeFileSync(
    config,
    JSON.stringify({
      $schema: 'https://opencode.ai/config.json',
      autoupdate: false,
      share: 'disabled',
      model: 'stand-in/stand-in',
      small_model: 'stand-in/stand-in',
      provider: { 'stand-in': standIn },
      permission: { bash: 'ask', edit: 'ask' },
    }),
  );
  return withEnv(home, { OPENCODE_CONFIG: config, OPENCODE_DISABLE_AUTOUPDATE: '1' });
}

/** A home where gemini-cli talks to the stand-in. */
export function geminiHome(model: ModelAddress): AgentHome {
  const home = freshHome('gemini');
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { disableAutoUpdate: true },
  };
  writeFileSync(join(folder(home, '.gemini'), 'settings.json'), JSON.stringify(settings));
  return withEnv(home, { GEMINI_API_KEY: 'stand-in', GOOGLE_GEMINI_BASE_URL: model.baseUrl });
}

/** A temporary folder with its own git repository: agents search parent folders for one, and must not find ours. */
export function projectFolder(): TemporaryFolder {
  const folder = temporaryFolder('project');
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder.dir], { stdio: 'ignore' });
  return folder;
}

const codexConfig = ({ baseUrl }: ModelAddress): string => `model = "gpt-5.5"
model_provider = "stand-in"
check_for_update_on_startup = false
[model_providers.stand-in]
name = "Stand-in"
base_url = "${baseUrl}/v1"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[otel]
exporter = "none"
[features]
apps = false
plugins = false
`;

function freshHome(agent: string): TemporaryFolder {
  const home = temporaryFolder(agent);
  // An agent's commits need an author, and the machine's own git settings aren't available here.
  writeFileSync(join(home.dir, '.gitconfig'), '[user]\n\tname = Stand-in\n\temail = stand-in@localhost\n');
  return home;
}

function withEnv(home: TemporaryFolder, env: Record<string, string>): AgentHome {
  const path = [dirname(process.execPath), process.env['PATH'] ?? '/usr/bin:/bin'].join(delimiter);
  return { ...home, env: { PATH: path, HOME: home.dir, SHELL: '/bin/bash', LANG: 'C.UTF-8', TERM: 'dumb', ...env } };
}

// The real path, since agents name their session files after it and macOS's temporary folder is a link.
function temporaryFolder(name: string): TemporaryFolder {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), `liminal-${name}-`)));
  // An agent that is just exiting may still write: retry rather than leave the folder.
  return { dir, cleanup: () => rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}

function folder(home: TemporaryFolder, path: string): string {
  const full = join(home.dir, path);
  mkdirSync(full, { recursive: true });
  return full;
}
