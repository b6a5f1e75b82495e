import type { OxlintOverride } from 'oxlint';
import { forbiddenFolders, layers } from './layers.ts';

/** A pattern of the lint rule no-restricted-imports. Its regular expressions don't support look-ahead. */
type Pattern = { regex: string; message: string } | { group: string[]; message: string };

const server = 'packages/server/src/';
const client = 'packages/client/src/';
const cli = 'packages/cli/src/';
const web = 'packages/web/src/';

/** Each vendor package and the only files that may import it. */
const serverVendors = {
  '@anthropic-ai/claude-agent-sdk': ['providers/claude/process/claude-sdk.ts'],
  '@agentclientprotocol/sdk': ['providers/acp/connection/acp-connection.ts', 'providers/demo/demo-agent.ts'],
  'node:sqlite': ['store/sqlite/open-database.ts'],
  '@redis/client': ['cluster/redis/redis-client.ts'],
  ws: ['sockets/socket-route.ts'],
  '@replit/ruspty': ['terminals/pty/ruspty.ts'],
  '@opentelemetry': ['telemetry/open-telemetry.ts', 'telemetry/instruments.ts'],
};
const webVendors = {
  'lucide-react': ['ui/icon.tsx'],
  streamdown: ['rendering/markdown-block.tsx'],
  shiki: ['rendering/code/highlight.ts'],
  mermaid: ['rendering/rich/draw-diagram.ts'],
  katex: ['rendering/rich/draw-formula.ts'],
  dompurify: ['rendering/rich/sanitize.ts'],
  '@tanstack/react-virtual': ['rendering/lists/virtual-list.tsx'],
  '@(codemirror|lezer)': ['rendering/text-editor.ts'],
  '@xterm': ['rendering/terminal-emulator.ts'],
};

/** The maximum depth of a file in a package. */
const depths = [1, 2, 3, 4];

const byName: Pattern = { regex: String.raw`^\.\./.*/src/`, message: 'Import another package by its name.' };
const noPage: Pattern = {
  regex: '^@liminal/(web|client|cli|e2e|bench)(/|$)',
  message: 'The server imports neither the page nor the client.',
};
/** Tests of the server may use the client. */
const noPageInTests: Pattern = { ...noPage, regex: '^@liminal/(web|e2e|bench)(/|$)' };
const noServer: Pattern = {
  regex: '^(node:|@liminal/(server|cli|stand-ins|e2e|bench)(/|$))',
  message: 'The page imports contracts, domain and the client only.',
};
/** Nothing heavy, because `liminal ls` must start fast. */
const ofCli = ['@liminal/client', '@liminal/contracts', '@liminal/domain', 'node:*'];
const otherFeature = 'A feature never imports another: share through state/, rendering/ or ui/.';

/** Our folder rules. If several overrides match a file, only the last one applies. */
export const importOverrides: OxlintOverride[] = [
  restrict(['packages/contracts/src/**'], onlyFrom('zod')),
  restrict(['packages/contracts/src/**/{*.test.ts,testing/**}'], onlyFrom('zod', 'vitest', 'fast-check', 'node:*')),
  restrict(['packages/domain/src/**'], onlyFrom('@liminal/contracts')),
  ...inLayers('packages/domain/src/', onlyFrom('@liminal/contracts')),
  restrict(
    ['packages/domain/src/**/{*.test.ts,testing/**}'],
    onlyFrom('@liminal/contracts', 'vitest', 'fast-check', 'node:*'),
  ),

  restrict([`${client}**`], onlyFrom('@liminal/contracts', '@liminal/domain')),
  restrict([`${client}node-socket.ts`], onlyFrom('@liminal/contracts', '@liminal/domain', 'ws')),
  restrict(
    [`${client}**/{*.test.ts,testing/**}`],
    onlyFrom('@liminal/contracts', '@liminal/domain', '@liminal/stand-ins', 'ws', 'vitest', 'fast-check', 'node:*'),
  ),

  restrict([`${cli}**`], onlyFrom(...ofCli)),
  ...inLayers(cli, onlyFrom(...ofCli)),
  // Loaded only by `liminal mcp`.
  restrict([`${cli}mcp/mcp-server.ts`], onlyFrom(...ofCli, '@modelcontextprotocol/sdk', 'zod')),
  restrict(
    [`${cli}**/{*.test.ts,testing/**}`],
    onlyFrom(...ofCli, '@liminal/stand-ins', '@modelcontextprotocol/sdk', 'vitest', 'zod'),
  ),

  restrict([`${server}**`], noPage, ...bans(serverVendors)),
  ...inLayers(server, noPage, ...bans(serverVendors)),
  ...ownersOf(serverVendors, server, noPage),
  restrict([`${server}**/{*.test.ts,*.contract.ts,testing/**}`], noPageInTests, ...bans(serverVendors, 'ws')),

  restrict([`${web}**`], noServer, ...bans(webVendors)),
  ...inLayers(web, noServer, ...bans(webVendors)),
  ...ownersOf(webVendors, web, noServer),
  // Which path leads out of a feature depends on the depth of the file.
  restrict([`${web}features/*/*`], noServer, ...bans(webVendors), outOfFeature('../')),
  restrict([`${web}features/*/*/**`], noServer, ...bans(webVendors), outOfFeature('../../')),
  restrict(
    [`${web}**/{*.test.ts,*.test.tsx,testing/**}`],
    { ...noServer, regex: '^@liminal/(server|e2e|bench)(/|$)' },
    ...bans(webVendors),
  ),
];

/** For the rest: end-to-end tests, benchmarks, stand-ins, scripts. */
export const importRule = ruleOf(byName, {
  regex: '^@liminal/(server|web|cli)(/|$)',
  message: 'Nothing imports the server, the page or the command line: start them.',
});

function ruleOf(...patterns: Pattern[]): ['error', { patterns: Pattern[] }] {
  return ['error', { patterns }];
}

function restrict(files: string[], ...patterns: Pattern[]): OxlintOverride {
  return { files, rules: { 'no-restricted-imports': ruleOf(byName, ...patterns) } };
}

function onlyFrom(...allowed: string[]): Pattern {
  const exceptions = ['./**', '../**', ...allowed.flatMap((name) => [name, `${name}/**`])];
  return {
    group: ['*', ...exceptions.map((name) => `!${name}`)],
    message: `Only ${allowed.join(', ')} may be imported here.`,
  };
}

function bans(vendors: Record<string, string[]>, except?: string): Pattern[] {
  return Object.entries(vendors)
    .filter(([name]) => name !== except)
    .map(([name, owners]) => ({ regex: `^${name}(/|$)`, message: `Only ${owners.join(' and ')} may import it.` }));
}

function ownersOf(vendors: Record<string, string[]>, folder: string, ...patterns: Pattern[]): OxlintOverride[] {
  return Object.entries(vendors).map(([name, owners]) =>
    restrict(
      owners.map((owner) => folder + owner),
      ...patterns,
      ...bans(vendors, name),
    ),
  );
}

/**
 * The layers of a package and of its folders. The path to another folder depends on the depth of the file, so there is
 * a rule for each depth.
 */
function inLayers(root: string, ...patterns: Pattern[]): OxlintOverride[] {
  const ofPackage = layers.filter((each) => each.root.startsWith(root));
  return ofPackage.flatMap((inner) => {
    const outer = ofPackage.find((each) => each.root === root) ?? inner;
    const within = inner.root.slice(root.length).split('/')[0] ?? '';
    return forbiddenFolders(inner).flatMap(({ folder, forbidden }) =>
      depths.map((depth) => {
        const outerForbidden = forbiddenFolders(outer).find((each) => each.folder === within)?.forbidden ?? [];
        const upward = [
          ...(forbidden.length > 0 ? [above(depth, forbidden)] : []),
          ...(outerForbidden.length > 0 ? [above(depth + 1, outerForbidden)] : []),
        ];
        return restrict([`${inner.root}${folder}/${'*/'.repeat(depth - 1)}*.{ts,tsx}`], ...patterns, ...upward);
      }),
    );
  });
}

function above(depth: number, folders: readonly string[]): Pattern {
  return {
    regex: `^${String.raw`\.\./`.repeat(depth)}(${folders.join('|')})/`,
    message: 'This folder is in a higher layer. scripts/lint/layers.ts has the order.',
  };
}

function outOfFeature(up: string): Pattern {
  return { regex: `^${up.replaceAll('.', String.raw`\.`)}[^.]|(^|/)features/`, message: otherFeature };
}
