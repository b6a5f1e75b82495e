import type { Command, Option } from './base/command.ts';

const timeout: Option = { type: 'string', value: 'SECONDS', text: 'Stop waiting after this time (exit code 124)' };
const request: Option = { type: 'string', value: 'ID', text: 'The request to answer (default: the oldest open one)' };

/** Options of every command. */
export const commonOptions: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', text: 'Print one JSON value per line' },
  'data-dir': { type: 'string', value: 'DIR', text: 'Talk to the server of this data directory' },
  help: { type: 'boolean', text: 'Print help' },
};

/** Commands that run in the server's own program. */
export const serverCommands: Readonly<Record<string, Omit<Command, 'load'>>> = {
  start: {
    summary: 'Start the server and open it in the browser',
    usage: '[FLAGS]',
    more: ['`liminal start --help` lists its flags. With --json, it prints one line when it is ready.'],
  },
  token: {
    summary: 'Print or replace the access token',
    usage: 'show|rotate',
    more: [
      '`show` prints the address with the token. `rotate` replaces the token and disconnects everyone,',
      'even while the server runs.',
    ],
  },
  backup: {
    summary: 'Back up all data to a file, or restore a backup',
    usage: '[FILE] | restore FILE',
    more: [
      'A backup works while the server runs. Without FILE, it goes into `backups` in the data directory.',
      'Stop the server before `restore`, which keeps a copy of the data it replaces.',
    ],
  },
};

/** Every command. The parser, help and completion are generated from this table. */
export const commands: Readonly<Record<string, Command>> = {
  run: {
    summary: 'Start a session with a message',
    usage: 'MESSAGE',
    options: {
      agent: {
        type: 'string',
        value: 'AGENT',
        text: 'Agent to use (default claude-code); `liminal agents` lists them',
      },
      project: { type: 'string', value: 'DIR', text: 'Folder to work in (default: this one)' },
      model: { type: 'string', value: 'MODEL', text: 'Model to use' },
      mode: { type: 'string', value: 'MODE', text: 'Permission mode to start in' },
      confirm: { type: 'boolean', text: 'Accept a mode that never asks' },
      worktree: { type: 'boolean', text: 'Work in a new worktree of the folder, on its own branch' },
      base: { type: 'string', value: 'BRANCH', text: 'Base of the worktree (default: the current branch)' },
      branch: { type: 'string', value: 'NAME', text: 'Name of the new branch' },
      wait: { type: 'boolean', text: 'Wait for the end of the turn and print the answer' },
      timeout,
      start: { type: 'boolean', text: 'Start a server first if none is running' },
    },
    more: ['A MESSAGE of - is read from standard input.'],
    load: () => import('./commands/run.ts'),
  },
  ls: {
    summary: 'List sessions',
    usage: '',
    options: {
      all: { type: 'boolean', text: 'Include archived sessions' },
      project: { type: 'string', value: 'DIR', text: 'Only sessions of this folder' },
    },
    load: () => import('./commands/ls.ts'),
  },
  attach: {
    summary: 'Follow a session, answer its requests, send messages',
    usage: 'SESSION',
    options: { all: { type: 'boolean', text: 'Print the whole conversation first, not only the last turn' } },
    more: [
      'Type a message and press Enter to send it. Ctrl+D detaches; Ctrl+C asks what to stop.',
      'In a pipe, it ends with the turn, with the exit codes of `wait`.',
    ],
    load: () => import('./commands/attach.ts'),
  },
  send: {
    summary: 'Send a message to a session',
    usage: 'SESSION MESSAGE',
    options: {
      steer: { type: 'boolean', text: 'Send it into the running turn, if the agent supports that' },
      wait: { type: 'boolean', text: 'Wait for the end of the turn and print the answer' },
      timeout,
    },
    more: ['A MESSAGE of - is read from standard input.'],
    load: () => import('./commands/send.ts'),
  },
  wait: {
    summary: 'Wait until a session is done or needs you',
    usage: 'SESSION',
    options: { timeout },
    load: () => import('./commands/wait.ts'),
  },
  allow: {
    summary: "Allow a session's request once",
    usage: 'SESSION',
    options: {
      request,
      option: { type: 'string', value: 'OPTION', text: "Answer with this one of the agent's options instead" },
    },
    load: () => import('./commands/allow.ts'),
  },
  refuse: {
    summary: "Refuse a session's request",
    usage: 'SESSION',
    options: { request, reason: { type: 'string', value: 'TEXT', text: 'Tell the agent why' } },
    load: () => import('./commands/refuse.ts'),
  },
  review: {
    summary: "List the changes in a session's folder",
    usage: 'SESSION [PATH]',
    options: {
      scope: { type: 'string', value: 'SCOPE', text: 'turn, session, uncommitted (default), staged, unstaged or base' },
    },
    more: ['With a PATH, prints the patch of that file.'],
    load: () => import('./commands/review.ts'),
  },
  export: {
    summary: 'Write a session as Markdown, HTML or JSON',
    usage: 'SESSION',
    options: {
      format: { type: 'string', value: 'FORMAT', text: 'md (default), html or json' },
      output: { type: 'string', value: 'FILE', text: 'Write to a new file instead of standard output' },
    },
    load: () => import('./commands/export.ts'),
  },
  import: {
    summary: 'Import a session that was exported as JSON',
    usage: 'FILE',
    options: { project: { type: 'string', value: 'DIR', text: 'Folder to list it under (default: this one)' } },
    load: () => import('./commands/import.ts'),
  },
  agents: {
    summary: 'List agents, or add one',
    usage: '[add] [claude|codex]',
    load: () => import('./commands/agents.ts'),
  },
  doctor: { summary: 'Check this machine, and say what to fix', usage: '', load: () => import('./commands/doctor.ts') },
  service: {
    summary: 'Run the server as a service of this user',
    usage: 'install|status|uninstall',
    options: { 'dry-run': { type: 'boolean', text: 'Only print what would be written and run' } },
    load: () => import('./commands/service.ts'),
  },
  mcp: {
    summary: 'Let an agent start and read sessions (MCP server)',
    usage: '',
    options: {
      project: {
        type: 'string',
        value: 'DIRS',
        text: 'Folders it may work in, separated by colons (default: this one)',
      },
    },
    more: ['It can’t answer permission requests. Sessions it starts have no more rights than the agent that asked.'],
    load: () => import('./commands/mcp.ts'),
  },
  completion: {
    summary: 'Print the completion script for a shell',
    usage: 'bash|zsh|fish',
    load: () => import('./commands/completion.ts'),
  },
};
