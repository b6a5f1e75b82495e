import { FoldersQuery, FoldersReply, ok } from '@liminal/contracts';
import { listFolders, stillThere } from '../../files/list-folders.ts';
import type { AppDeps, TypedApp } from '../build-app.ts';
import { replyWith } from '../failure-to-reply.ts';

const mostRecent = 12;

/** The folders of this machine by name, for choosing one to work in. */
export function folderRoutes(app: TypedApp, { store, home }: AppDeps): void {
  app.get(
    '/api/folders',
    { schema: { querystring: FoldersQuery, response: { 200: FoldersReply } } },
    async (request, reply) => {
      const listed = await listFolders(request.query, home);
      if (!listed.ok) return replyWith(reply, listed);
      // Removed ones too: a folder a person took off the list is one they may want back.
      const added = store.projects().toSorted((a, b) => (a.addedAt < b.addedAt ? 1 : -1));
      const recent = await stillThere(added.slice(0, mostRecent).map(({ dir }) => dir));
      return replyWith(reply, ok({ ...listed.value, home, recent }));
    },
  );
}
