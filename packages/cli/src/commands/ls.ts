import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AttentionKind, ListedSession } from '@liminal/contracts';
import type { Run } from '../base/command.ts';
import { exitCodes } from '../base/exit-codes.ts';
import { allSessions } from '../base/find-session.ts';
import { type Colours, type Paint, visible } from '../base/terminal.ts';

const labels: Record<AttentionKind, string> = {
  'needs-you': 'needs you',
  failed: 'failed',
  done: 'done',
  working: 'working',
  paused: 'paused',
  unknown: 'unknown',
  idle: 'idle',
};

function paintOf(kind: AttentionKind, colours: Colours): Paint {
  switch (kind) {
    case 'needs-you':
      return colours.yellow;
    case 'failed':
      return colours.red;
    case 'working':
      return colours.cyan;
    case 'done':
      return colours.green;
    case 'paused':
    case 'unknown':
    case 'idle':
      return colours.dim;
  }
}

/** Lists sessions, most recently changed first. Programs get complete ids, people short ones. */
export const run: Run = async ({ terminal, lightClient: open, flag, has, cwd }) => {
  const client = await open();
  if (!client) return exitCodes.failed;
  const dir = flag('project');
  let projectId: string | undefined;
  if (dir !== undefined) {
    const projects = await client.project.list();
    if (!projects.ok) {
      terminal.complain(projects.failure);
      return exitCodes.failed;
    }
    const folder = realFolder(resolve(cwd, dir));
    projectId = projects.value.projects.find((project) => project.dir === folder)?.projectId;
    if (projectId === undefined) {
      terminal.note(`${folder} isn't a project. \`liminal run "MESSAGE"\` there adds it.`);
      return exitCodes.done;
    }
  }
  const listed = await allSessions(client, projectId);
  if (!listed.ok) {
    terminal.complain(listed.failure);
    return exitCodes.failed;
  }
  const sessions = listed.value.filter(({ archived }) => has('all') || !archived);
  if (terminal.isJson) sessions.forEach(terminal.json);
  else {
    const length = terminal.isPerson ? shortLength(listed.value.map(({ sessionId }) => sessionId)) : undefined;
    for (const session of sessions) terminal.line(row(session, terminal.colours, length));
  }
  if (sessions.length === 0) terminal.note('No sessions. Start one with `liminal run "MESSAGE"`.');
  return exitCodes.done;
};

/** Projects have the path that links lead to. A folder that isn't here may be on the server's machine. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function row({ sessionId, attention, cliType, title }: ListedSession, colours: Colours, idLength?: number): string {
  const name = visible(title).replaceAll(/\s+/g, ' ') || 'Untitled';
  if (idLength === undefined) return [visible(sessionId), attention, cliType, name].join('\t');
  const state = paintOf(attention, colours)(labels[attention].padEnd(9));
  return `${colours.bold(visible(sessionId).slice(0, idLength))}  ${state}  ${cliType.padEnd(12)}  ${name}`;
}

/** How many characters make the ids distinct. */
function shortLength(ids: readonly string[]): number {
  let length = 8;
  while (length < 64 && new Set(ids.map((id) => id.slice(0, length))).size < ids.length) length += 1;
  return length;
}
