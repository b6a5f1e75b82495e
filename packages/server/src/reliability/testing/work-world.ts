import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGitHere } from '../../git/testing/git-here.ts';
import { createScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

/** What an agent keeps on disk: which of its own sessions belong to each of ours. */
export type AgentRecords = { readonly copies: number; readonly bound: Readonly<Record<string, readonly string[]>> };

const none: AgentRecords = { copies: 0, bound: {} };
const fileOf = (folder: string): string => join(folder, 'data', 'agent.json');

export const readRecords = (folder: string): AgentRecords =>
  existsSync(fileOf(folder)) ? (JSON.parse(readFileSync(fileOf(folder), 'utf8')) as AgentRecords) : none;

/** An agent that can copy conversations and keeps its records on disk. */
function createRecordingProvider(folder: string, pass: () => void) {
  const change = (next: (records: AgentRecords) => AgentRecords): void => {
    pass();
    writeFileSync(`${fileOf(folder)}.new`, JSON.stringify(next(readRecords(folder))));
    renameSync(`${fileOf(folder)}.new`, fileOf(folder));
    pass();
  };
  const provider = createScriptedProvider('scripted', {
    async forkSession(sessionId, { turnId } = {}) {
      change((records) => ({ ...records, copies: records.copies + 1 }));
      const { copies } = readRecords(folder);
      return { sessionId: `copy-${copies}-of-${sessionId}-at-${turnId ?? 'end'}`, cliType: 'scripted' };
    },
    agentIdsOf: (sessionId) => readRecords(folder).bound[sessionId] ?? [sessionId],
    async rebind(sessionId, agentIds) {
      change((records) => ({ ...records, bound: { ...records.bound, [sessionId]: agentIds } }));
    },
  });
  Object.assign(provider.capabilities, { fork: true, forkAtTurn: true });
  return provider;
}

/** Starts a server on a folder with a repository, worktrees, a database and an agent's records. */
export async function startWorkWorld(folder: string, pass: () => void = () => {}): Promise<TestServer> {
  mkdirSync(join(folder, 'data'), { recursive: true });
  const disk = openSqliteStore(join(folder, 'data', 'liminal.sqlite'));
  const store: Store = {
    ...disk,
    async write(writes) {
      pass();
      await disk.write(writes);
      pass();
    },
  };
  const server = await startTestServer({
    folder: join(folder, 'repository'),
    worktreeFolder: join(folder, 'worktrees'),
    provider: createRecordingProvider(folder, pass),
    store,
    git: createGitHere(),
    env: { PATH: process.env['PATH'] },
    // So nothing is parked automatically.
    limits: { keepUndoMs: 3_600_000 },
  });
  return {
    ...server,
    async close() {
      await server.served.close();
      await disk.close();
    },
  };
}

/** Restores the work in the same place, because worktrees refer to each other by full path. */
export function putBack(template: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  cpSync(template, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}
