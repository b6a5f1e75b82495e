import { PassThrough } from 'node:stream';
import { fail, type GrepLine, ok, type Result } from '@liminal/contracts';
import type { SaveCondition } from '../../files/contents/save-text.ts';
import type { AppDeps } from '../build-app.ts';
import type { Handlers } from './handlers.ts';

export function fileHandlers({ contents }: AppDeps): Handlers['file'] {
  return {
    tree: (projectId, { path, worktreeId }) => contents.tree(projectId, path, worktreeId),
    read: {
      async withExchange({ reply }, projectId, query) {
        const file = await contents.read(projectId, query);
        if (file.ok) void reply.header('etag', `"${file.value.etag}"`);
        return file;
      },
    },
    save: {
      async withExchange({ request, reply }, projectId, at, { content }) {
        const condition = conditionIn(request.headers);
        if (!condition.ok) return condition;
        const saved = await contents.save(projectId, at, content, condition.value);
        if (saved.ok) void reply.header('etag', `"${saved.value.etag}"`);
        return saved;
      },
    },
    attach: (projectId, body) => contents.attach(projectId, body),
    draft: (projectId, at) => contents.draft(projectId, at),
    saveDraft: (projectId, at, body) => contents.saveDraft(projectId, at, body),
    removeDraft: (projectId, { version, ...at }) => contents.removeDraft(projectId, at, version),
    remove: (projectId, at) => contents.remove(projectId, at),
    restore: (projectId, { undoId, worktreeId }) => contents.restore(projectId, undoId, worktreeId),
    move: (projectId, { from, to, worktreeId }) => contents.move(projectId, from, to, worktreeId),
    grep: {
      async withExchange({ reply }, projectId, body) {
        const gone = new AbortController();
        reply.raw.once('close', () => gone.abort());
        const search = await contents.grep(projectId, body, gone.signal);
        if (!search.ok) return search;
        const lines = new PassThrough();
        const say = (line: GrepLine): void => void lines.write(`${JSON.stringify(line)}\n`);
        void search
          .value(say)
          .catch(() => say({ done: true, truncated: true, error: "The search didn't finish. Try again." }))
          .finally(() => lines.end());
        return ok(lines);
      },
    },
  };
}

type Conditions = { readonly 'if-match'?: string | undefined; readonly 'if-none-match'?: string | undefined };

/** Requires the version the user has seen, so nothing is overwritten unseen. */
function conditionIn(headers: Conditions): Result<SaveCondition, 'INVALID_REQUEST'> {
  if (headers['if-none-match']?.trim() === '*') return ok({ kind: 'new' });
  const etag = headers['if-match']?.trim().replace(/^W\//, '').replaceAll('"', '');
  return etag === undefined || etag === '' || etag === '*'
    ? fail('INVALID_REQUEST', 'Send If-Match with the etag that was read, or If-None-Match: * for a new file.')
    : ok({ kind: 'match', etag });
}
