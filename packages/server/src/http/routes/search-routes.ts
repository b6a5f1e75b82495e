import { SearchQuery, SearchReply } from '@liminal/contracts';
import type { AppDeps, TypedApp } from '../build-app.ts';

/** Over the titles and the full text of every session. */
export function searchRoutes(app: TypedApp, { search }: AppDeps): void {
  app.get('/api/search', { schema: { querystring: SearchQuery, response: { 200: SearchReply } } }, async (request) => ({
    hits: search.search(request.query.q, request.query.limit),
  }));
}
