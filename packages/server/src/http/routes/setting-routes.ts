import { Done, Workspace } from '@liminal/contracts';
import type { AppDeps, TypedApp } from '../build-app.ts';

const key = 'workspace';
const empty: Workspace = { tabs: [], activeTab: null };

/** How the page stands, kept here so that another browser or a restart finds it again. */
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
