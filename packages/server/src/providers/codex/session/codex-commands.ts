import type { SessionInfo, SlashCommand } from '@liminal/contracts';
import { asNonEmptyString, asRecord, asRecords, type Loose, present } from '../../kit/read-json.ts';

/** The meaning of a message that starts with a slash; a command unknown here is an ordinary message. */
export type CodexCommand =
  | { readonly kind: 'message'; readonly text: string }
  /** A turn that Codex runs by itself. */
  | { readonly kind: 'turn'; readonly method: string; readonly params: Loose }
  | { readonly kind: 'plan' }
  | { readonly kind: 'status' }
  | { readonly kind: 'mcp' }
  | { readonly kind: 'rename'; readonly title: string }
  /** An argument is missing. */
  | { readonly kind: 'usage'; readonly text: string };

const own: readonly SlashCommand[] = [
  { name: 'plan', description: 'Turn plan mode on or off.' },
  { name: 'status', description: 'Show model, permissions, account and usage.' },
  { name: 'mcp', description: 'Show the state of the MCP servers.' },
  {
    name: 'review',
    description: 'Review uncommitted changes, or review with your own instructions.',
    hint: 'optional review instructions',
  },
  { name: 'review-branch', description: 'Review changes relative to a base branch.', hint: 'branch name' },
  { name: 'review-commit', description: 'Review a commit.', hint: 'commit sha' },
  { name: 'compact', description: 'Summarize the conversation to make room.' },
  { name: 'rename', description: 'Rename this session in Codex.', hint: 'new name' },
];

/** The commands of a session: our own, and Codex's skills from an answer to `skills/list`. */
export function codexCommandList(skills: Loose): SlashCommand[] {
  const named = asRecords(skills['data'])
    .flatMap((folder) => asRecords(folder['skills']))
    .flatMap((skill) => {
      const name = asNonEmptyString(skill['name']);
      if (name === undefined || skill['enabled'] === false) return [];
      const short = asNonEmptyString(asRecord(skill['interface'])['shortDescription']);
      return [{ name: `$${name}`, ...present({ description: short ?? asNonEmptyString(skill['description']) }) }];
    });
  return [...own, ...named];
}

export function readCommand(message: string): CodexCommand {
  const [, name = '', rest = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(message.trim()) ?? [];
  const argument = rest.trim();
  const review = (target: Loose): CodexCommand => ({ kind: 'turn', method: 'review/start', params: { target } });
  switch (name) {
    case 'review':
      return review(argument === '' ? { type: 'uncommittedChanges' } : { type: 'custom', instructions: argument });
    case 'review-branch':
      return argument === ''
        ? { kind: 'usage', text: 'Name the branch: `/review-branch main`.' }
        : review({ type: 'baseBranch', branch: argument });
    case 'review-commit':
      return argument === ''
        ? { kind: 'usage', text: 'Name the commit: `/review-commit 1a2b3c4`.' }
        : review({ type: 'commit', sha: argument, title: null });
    case 'compact':
      return { kind: 'turn', method: 'thread/compact/start', params: {} };
    case 'plan':
      return argument === '' ? { kind: 'plan' } : { kind: 'message', text: message };
    case 'status':
      return { kind: 'status' };
    case 'mcp':
      return { kind: 'mcp' };
    case 'rename':
      return argument === ''
        ? { kind: 'usage', text: 'Add the new name: `/rename A better title`.' }
        : { kind: 'rename', title: argument };
    default:
      // A skill is called by its name with a dollar sign; the slash is only for completion in the page.
      return { kind: 'message', text: name.startsWith('$') ? message.trim().slice(1) : message };
  }
}

/** The answer to `/status`, from what is known of the session. */
export function statusText(info: SessionInfo, threadId: string, cwd: string): string {
  const { context, account, rateLimits = [] } = info;
  const nameOf = (choices: SessionInfo['modes'], id: string | undefined): string =>
    choices?.find((choice) => choice.id === id)?.name ?? id ?? 'unknown';
  const rows = [
    ['Model', [nameOf(info.models, info.modelId), info.effort].filter(Boolean).join(', ')],
    ['Mode', nameOf(info.modes, info.modeId)],
    ['Folder', cwd],
    [
      'Account',
      account === undefined ? 'unknown' : [account.email ?? account.kind, account.plan].filter(Boolean).join(', '),
    ],
    ['Session', `\`${threadId}\``],
    ['Context', context ? `${context.used} of ${context.size} tokens` : 'nothing used yet'],
    ...rateLimits.map((limit) => [
      `Limit${limit.windowMinutes === undefined ? '' : ` of ${Math.round(limit.windowMinutes / 60)} h`}`,
      `${Math.round(100 - limit.usedPercent)} % left${limit.resetsAt === undefined ? '' : `, until ${limit.resetsAt}`}`,
    ]),
  ];
  return rows.map(([name, value]) => `**${name}:** ${value}`).join('  \n');
}

/** The answer to `/mcp`. */
export function serversText({ mcpServers = [] }: SessionInfo): string {
  if (mcpServers.length === 0) return 'No MCP server is configured for this session.';
  return mcpServers
    .map(({ name, state, message }) => `- **${name}**: ${state}${message === undefined ? '' : ` (${message})`}`)
    .join('\n');
}
