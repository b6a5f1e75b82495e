import type { ReplayedHistory } from '../../provider.ts';
import { historyOfRows } from './history.ts';
import { findRecord, readNewestRows, recordMentions } from './record-file.ts';
import { type RecordRow, meaningOf } from './record-rows.ts';
import { withSubagents } from './record-subagents.ts';

/** The records of one session, oldest first: each `/clear` starts another one. */
export type SessionRecords = {
  /** The current one, if it exists. */
  newest(): Promise<string | undefined>;
  /** Whether there is something to continue from. */
  exist(): Promise<boolean>;
  /** All of them as one history. */
  read(newestTurns: number): Promise<ReplayedHistory>;
  /** Whether any of them has this message of ours. */
  mention(uuid: string): Promise<boolean>;
};

export function createSessionRecords(
  projects: string,
  sessionId: string,
  agentIds: () => readonly string[],
): SessionRecords {
  const newest = (): Promise<string | undefined> => findRecord(projects, agentIds().at(-1) ?? sessionId);
  const paths = async (): Promise<string[]> => {
    const found = await Promise.all(agentIds().map((agentId) => findRecord(projects, agentId)));
    return found.filter((path) => path !== undefined);
  };
  return {
    newest,
    exist: async () => (await paths()).length > 0,
    async read(newestTurns) {
      let rows: readonly RecordRow[] = [];
      let wanted = newestTurns;
      const unread = await paths();
      for (let path = unread.pop(); path !== undefined; path = unread.pop()) {
        const page = await readNewestRows(path, wanted);
        rows = [...(await withSubagents(path, page.rows)), ...rows];
        wanted -= page.rows.filter(beginsTurn).length;
        const hasMore = page.hasMore || (wanted <= 0 && unread.length > 0);
        if (hasMore) return { ...historyOfRows(sessionId, rows), hasMore };
      }
      return { ...historyOfRows(sessionId, rows), hasMore: false };
    },
    async mention(uuid) {
      for (const path of await paths()) if (await recordMentions(path, uuid)) return true;
      return false;
    },
  };
}

function beginsTurn(row: RecordRow): boolean {
  const { kind } = meaningOf(row);
  return kind === 'prompt' || kind === 'wake-up';
}
