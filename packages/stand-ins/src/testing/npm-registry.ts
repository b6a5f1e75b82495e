import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type RegistryPackage = {
  readonly name: string;
  readonly version: string;
  /** Content by path in the package; programs are files without an extension. */
  readonly files?: Readonly<Record<string, string>>;
  /** Other fields of its package.json. */
  readonly manifest?: Readonly<Record<string, unknown>>;
};

export type NpmRegistry = {
  /** For npm_config_registry. */
  readonly url: string;
  /** Names of requested packages. */
  readonly asked: readonly string[];
  close(): void;
};

/** A local registry with a few small packages: npm installs from it as from the real one. */
export async function startNpmRegistry(packages: readonly RegistryPackage[]): Promise<NpmRegistry> {
  const tarballs = new Map(packages.map((each) => [fileOf(each), pack(each)]));
  const asked: string[] = [];
  const server = createServer((request, reply) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const tarball = tarballs.get(path);
    if (tarball) return void reply.end(tarball);
    asked.push(path);
    const versions = packages.filter(({ name }) => name === path);
    if (versions.length === 0) return void reply.writeHead(404).end('{}');
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(describe(path, versions)));
  });
  const describe = (name: string, versions: readonly RegistryPackage[]) => ({
    name,
    'dist-tags': { latest: versions.at(-1)?.version },
    versions: Object.fromEntries(
      versions.map((each) => {
        const integrity = createHash('sha512')
          .update(tarballs.get(fileOf(each)) ?? '')
          .digest('base64');
        const dist = { tarball: url + fileOf(each), integrity: `sha512-${integrity}` };
        return [each.version, { ...manifestOf(each), dist }];
      }),
    ),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const fileOf = ({ name, version }: RegistryPackage): string => `${name}/-/${version}.tgz`;
const manifestOf = ({ name, version, manifest }: RegistryPackage) => ({ name, version, ...manifest });

function pack(given: RegistryPackage): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'liminal-tarball-'));
  try {
    const files = { 'package.json': JSON.stringify(manifestOf(given)), ...given.files };
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, 'package', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode: path.includes('.') ? 0o644 : 0o755 });
    }
    execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
    return readFileSync(join(folder, 'package.tgz'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const platform = `${process.platform}-${process.arch}`;
const triples: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};
const program = (said: string): string => `#!/bin/sh\necho '${said}'\n`;

/** Stand-ins for the Claude Code and Codex packages: programs that only print their version. */
export const agentStandIns = (versions: { readonly claude: string; readonly codex: string }): RegistryPackage[] => [
  {
    name: '@anthropic-ai/claude-agent-sdk',
    version: versions.claude,
    files: { 'sdk.mjs': 'export const query = () => {};\n' },
    manifest: {
      type: 'module',
      exports: { '.': './sdk.mjs' },
      claudeCodeVersion: '2.1.325',
      optionalDependencies: { [`@anthropic-ai/claude-agent-sdk-${platform}`]: versions.claude },
    },
  },
  {
    name: `@anthropic-ai/claude-agent-sdk-${platform}`,
    version: versions.claude,
    files: { claude: program('2.1.325 (Claude Code)') },
  },
  {
    name: '@agentclientprotocol/codex-acp',
    version: versions.codex,
    files: { 'dist/index.js': '' },
    manifest: { dependencies: { '@openai/codex': '0.166.0' } },
  },
  {
    name: '@openai/codex',
    version: '0.166.0',
    files: { 'bin/codex.js': '' },
    manifest: { bin: { codex: 'bin/codex.js' }, optionalDependencies: { [`@openai/codex-${platform}`]: '0.166.0' } },
  },
  {
    name: `@openai/codex-${platform}`,
    version: '0.166.0',
    files: { [`vendor/${triples[platform] ?? ''}/bin/codex`]: program('codex-cli 0.166.0') },
  },
];
