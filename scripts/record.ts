import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The command that records each kind of agent. */
const recorders: Readonly<Record<string, string>> = {
  codex: 'packages/server/src/providers/codex/testing/record-command.ts',
  'claude-code': 'packages/server/src/providers/claude/testing/record-command.ts',
};

/** `npm run record -- AGENT OUT PROMPT…` makes a new recording of the real agent, offline. */
const [agent = '', out = '', ...rest] = process.argv.slice(2);
const recorder = recorders[agent];
if (recorder === undefined || out === '') {
  process.stderr.write(`usage: npm run record -- ${Object.keys(recorders).join('|')} OUT PROMPT…\n`);
  process.exitCode = 2;
} else {
  // npm runs scripts in the repository root, but the user's path is relative to their own folder.
  const file = resolve(process.env['INIT_CWD'] ?? process.cwd(), out);
  const command = fileURLToPath(new URL(`../${recorder}`, import.meta.url));
  process.exitCode = spawnSync(process.execPath, [command, file, ...rest], { stdio: 'inherit' }).status ?? 1;
}
