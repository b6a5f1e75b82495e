import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const wanted = '@cloudcli-ai/cloudcli@1.37.3';
export const cache = fileURLToPath(new URL('../../../../node_modules/.cache/peers/cloudcli/', import.meta.url));
const main = join(cache, 'node_modules/@cloudcli-ai/cloudcli/dist-server/server/index.js');
/** Its native parts are built or downloaded during the installation, and fit one version of Node only. */
const builtParts = ['better-sqlite3', 'node-pty', 'bcrypt', '@cloudcli-ai/cloudcli'];

/** Installed only for this comparison; returns the Node that its native parts fit. */
export function installCloudCli(): string {
  if (!existsSync(main)) {
    mkdirSync(cache, { recursive: true });
    const allowScripts = Object.fromEntries(builtParts.map((name) => [name, true]));
    writeFileSync(join(cache, 'package.json'), JSON.stringify({ private: true, allowScripts }));
    const done = spawnSync('npm', ['install', '--prefix', cache, '--no-audit', '--no-fund', wanted], {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, ...buildingForThisNode() },
    });
    if (done.status !== 0) throw new Error(`${wanted} could not be installed: is the npm registry within reach?`);
  }
  const candidates = [process.execPath, process.env['npm_node_execpath'] ?? '', '/usr/bin/node', '/usr/local/bin/node'];
  const script = "new (require('better-sqlite3'))(':memory:')";
  const fits = (node: string) => existsSync(node) && spawnSync(node, ['-e', script], { cwd: cache }).status === 0;
  const node = candidates.find(fits);
  if (node === undefined) throw new Error(`No Node here can load the built parts of ${wanted}.`);
  return node;
}

/** Builds native parts without a prebuilt file, for the current Node, with its headers. */
function buildingForThisNode(): Record<string, string> {
  const bin = dirname(process.execPath);
  const besides = [join(bin, '..'), join(bin, '..', 'node_modules', `node-${process.platform}-${process.arch}`)];
  const headers = besides.find((folder) => existsSync(join(folder, 'include', 'node', 'node_version.h')));
  return {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    ...(headers !== undefined && { npm_config_nodedir: headers }),
  };
}

function ourClaude(): string {
  const server = createRequire(new URL('../../../../packages/server/package.json', import.meta.url));
  return server.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`);
}

/** Its server, with this data and the same Claude Code as ours. */
export const startCloudCliServer = (
  node: string,
  env: Readonly<Record<string, string>>,
  data: string,
  port: number,
): ChildProcess =>
  spawn(node, [main], {
    cwd: data,
    env: {
      ...env,
      PATH: `${dirname(node)}:${env['PATH'] ?? ''}`,
      SERVER_PORT: String(port),
      HOST: '127.0.0.1',
      CLAUDE_CLI_PATH: ourClaude(),
      DATABASE_PATH: join(data, 'auth.db'),
      WORKSPACES_ROOT: cache,
    },
    stdio: 'ignore',
  });
