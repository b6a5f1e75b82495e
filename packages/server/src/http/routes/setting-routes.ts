import { Done } from '@liminal/contracts';
import { z } from 'zod';
import type { AppDeps, TypedApp } from '../build-app.ts';

/** What the page keeps on the server, so that another browser or a restart finds it again. */
const Workspace = z.object({
  tabs: z.array(z.string().min(1)).max(200),
  activeTab: z.string().nullish(),
});
const key = 'workspace';
const empty = { tabs: [], activeTab: null };

export function settingRoutes(app: TypedApp, { store }: AppDeps): void {
  app.get('/api/workspace', { schema: { response: { 200: Workspace } } }, async () => {
    const stored = Workspace.safeParse(store.setting(key));
    return stored.success ? stored.data : empty;
  });
  app.put('/api/workspace', { schema: { body: Workspace, response: { 200: Done } } }, async (request) => {
    await store.write([{ type: 'put-setting', key, value: request.body }]);
    return {};
  });
}
