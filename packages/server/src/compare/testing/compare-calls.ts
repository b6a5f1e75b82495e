import type { Candidate, Comparison, ComparisonSummary } from '@liminal/contracts';
import { vi } from 'vitest';
import type { WorktreeServer } from '../../worktrees/testing/worktree-server.ts';

export const patience = { timeout: 60_000, interval: 20 };
/** The server's own scripted agent, and a second one that the test adds. */
export const both = [{ cliType: 'scripted' }, { cliType: 'other' }];
export const image = {
  data: Buffer.from('\x89PNG\r\n\x1a\n1', 'latin1').toString('base64'),
  mimeType: 'image/png' as const,
};

/** Calls the routes of comparisons on the test's current server. */
export function compareCalls(all: () => WorktreeServer) {
  const read = async (compareId: string) =>
    (await all().server.call<Comparison>('GET', `/api/compare/${compareId}`)).body;
  return {
    read,
    compare: async (candidates: object[], part: object = {}) => {
      const body = { projectId: all().projectId, content: 'Add a greeting', candidates, ...part };
      return all().server.call<ComparisonSummary>('POST', '/api/compare', body);
    },
    act: (compareId: string, what: string, body?: object) =>
      all().server.call('POST', `/api/compare/${compareId}/${what}`, body),
    /** Resolves when no candidate is starting any more. */
    started: (compareId: string) =>
      vi.waitUntil(async () => {
        const found = await read(compareId);
        return found.candidates.every(({ state }) => state !== 'starting') && found;
      }, patience),
    folderOf: async ({ worktreeId = '' }: Candidate): Promise<string> => (await all().read(worktreeId)).folder,
  };
}
