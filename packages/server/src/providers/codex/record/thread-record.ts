import { mkdir, readFile } from 'node:fs/promises';
import type { DiscoveredSession } from '@liminal/contracts';
import { AgentRefused } from '../../acp/connection/failures.ts';
import { readThread } from '../../acp/session/list-exec-sessions.ts';
import { asNonEmptyString, asRecord, asRecords, type Loose } from '../../kit/read-json.ts';
import type { CodexDeps } from '../process/codex-program.ts';
import { type Ask, openCodex } from '../process/open-codex.ts';
import { findTurn } from './history.ts';

const pageTurns = 100;
/** A list so long that nobody reads all of it. */
const mostPages = 1_000;
const mostListPages = 20;

/** The turns of a thread, oldest first; only the newest if a number is given. */
export async function readTurns(
  ask: Ask,
  threadId: string,
  newest?: number,
): Promise<{ readonly turns: readonly Loose[]; readonly hasMore: boolean }> {
  const turns: Loose[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const limit = Math.min(pageTurns, newest === undefined ? pageTurns : newest - turns.length);
    const asked = { threadId, limit, sortDirection: 'desc', itemsView: 'full' };
    const answer = await ask('thread/turns/list', { ...asked, ...(cursor !== undefined && { cursor }) });
    turns.push(...asRecords(answer['data']));
    const next = asNonEmptyString(answer['nextCursor']);
    const isEnough = newest !== undefined && turns.length >= newest;
    if (next === undefined || next === cursor || isEnough)
      return { turns: turns.toReversed(), hasMore: isEnough && next !== undefined };
    cursor = next;
  }
  return { turns: turns.toReversed(), hasMore: true };
}

/**
 * Whether a message of ours is in the record of a thread; null if that can't be known. Codex answers from an index that
 * may lag behind its own file after a crash, so anything missing there is searched in the file.
 */
export async function mentionsTurn(ask: Ask, threadId: string, turnId: string): Promise<boolean | null> {
  try {
    const newest = 20;
    const { turns } = await readTurns(ask, threadId, newest);
    if (findTurn(turns, turnId) !== undefined) return true;
    const file = asNonEmptyString(asRecord((await ask('thread/read', { threadId }))['thread'])['path']);
    return file === undefined ? null : (await readFile(file, 'utf8')).includes(JSON.stringify(turnId));
  } catch {
    return null;
  }
}

/** All threads of a folder, whichever program created them. */
export async function listThreads(ask: Ask, cliType: string, cwd: string): Promise<readonly DiscoveredSession[]> {
  const found: DiscoveredSession[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostListPages; page += 1) {
    const wanted = { cwd, limit: 100, sourceKinds: ['cli', 'vscode', 'exec', 'appServer'], modelProviders: [] };
    const answer = await ask('thread/list', { ...wanted, ...(cursor !== undefined && { cursor }) });
    found.push(...asRecords(answer['data']).flatMap((raw) => readThread(cliType, cwd, raw)));
    const next = asNonEmptyString(answer['nextCursor']);
    if (next === undefined || next === cursor) break;
    cursor = next;
  }
  return found;
}

/**
 * Asks a Codex that runs only for this, in a folder of our own, so nothing in an untrusted folder is read as its
 * configuration.
 */
export async function askTemporaryCodex<T>(
  deps: CodexDeps,
  use: (ask: Ask) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  await mkdir(deps.neutralDir, { recursive: true });
  const { listMs, initializeMs } = deps.limits;
  const withShortTimeout = { ...deps, limits: { ...deps.limits, initializeMs: Math.min(listMs, initializeMs) } };
  const opened = await openCodex(
    { deps: withShortTimeout, cwd: deps.neutralDir, signal },
    {
      notified: () => {},
      asked: async (method) => {
        throw new AgentRefused(-32601, `Method not found: ${method}`);
      },
      closed: () => {},
    },
  );
  try {
    return await use((method, params) => opened.ask(method, params, listMs));
  } finally {
    await opened.agent.kill();
  }
}
