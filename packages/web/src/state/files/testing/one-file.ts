import type { ApiResult } from '@liminal/client/call-routes';
import type { FileDraft, FileReply, SaveDraftBody } from '@liminal/contracts';
import { createFileMoves } from '../file-moves.ts';
import { createFileStore } from '../file-store.ts';

const reply = (content: string): FileReply => ({
  path: 'a.ts',
  content,
  eol: 'lf',
  bom: false,
  size: content.length,
  binary: false,
  readOnly: false,
  etag: `of ${content}`,
});

const stale: ApiResult<never> = { ok: false, failure: { code: 'STALE', message: 'Another was kept.' } };

/** A disk with one file, drafts on the server, and browsers with their own storage. */
export function setUp() {
  const disk = { content: 'one' };
  const server: {
    draft: FileDraft | null;
    isDown: boolean;
    areDraftsDown: boolean;
    saving: Promise<void>;
    reading: Promise<void>;
  } = {
    draft: null,
    isDown: false,
    areDraftsDown: false,
    saving: Promise.resolve(),
    reading: Promise.resolve(),
  };
  const reports: string[] = [];
  let versions = 0;
  const down: ApiResult<never> = { ok: false, failure: { code: 'NETWORK', message: 'The server is gone.' } };
  const drafts = {
    draft: async (_project: string, { path }: { path: string }): Promise<ApiResult<{ draft: FileDraft | null }>> =>
      server.isDown || server.areDraftsDown
        ? down
        : { ok: true, value: { draft: path === 'a.ts' ? server.draft : null } },
    async saveDraft(
      _project: string,
      _at: unknown,
      { text, etag, replaces }: SaveDraftBody,
    ): Promise<ApiResult<{ version: string }>> {
      if (server.isDown) return down;
      if ((server.draft?.version ?? null) !== replaces) return stale;
      const version = `v${(versions += 1)}`;
      server.draft = { text, etag, version, updatedAt: '' };
      return { ok: true, value: { version } };
    },
    async removeDraft(_project: string, { version }: { version: string }): Promise<ApiResult<object>> {
      if (server.draft !== null && server.draft.version !== version) return stale;
      server.draft = null;
      return { ok: true, value: {} };
    },
  };
  const api = {
    ...drafts,
    async read(_project: string, { offset }: { offset?: number }): Promise<ApiResult<FileReply>> {
      const read = { ...reply(disk.content), ...(offset !== undefined && { offset }) };
      await server.reading;
      return server.isDown ? down : { ok: true, value: read };
    },
    save: async (
      _project: string,
      _at: unknown,
      { content }: { content: string },
      options?: { headers?: Record<string, string> },
    ): Promise<ApiResult<{ etag: string }>> => {
      await server.saving;
      if (server.isDown) return down;
      if (options?.headers?.['If-Match'] !== `"of ${disk.content}"`)
        return { ok: false, failure: { code: 'FILE_CHANGED', message: 'It was changed.' } };
      disk.content = content;
      return { ok: true, value: { etag: `of ${content}` } };
    },
  };
  const browser = () => {
    const kept = new Map<string, string>();
    const storage = {
      read: (key: string) => kept.get(key) ?? null,
      write: (key: string, value: string | null) => void (value === null ? kept.delete(key) : kept.set(key, value)),
      keys: () => [...kept.keys()],
    };
    return { kept, storage };
  };
  const first = browser();
  const open = async ({ storage } = first) => {
    const after = (_milliseconds: number, task: () => void) => (task(), () => {});
    const report = (what: string, { message }: { message: string }) => void reports.push(`${what} ${message}`);
    const moves = createFileMoves({ api, storage } as never);
    const store = createFileStore({ api, storage, moves, projectId: 'p', after, report } as never);
    await store.open({ path: 'a.ts' });
    return store;
  };
  return { disk, server, reports, kept: first.kept, browser, open };
}
