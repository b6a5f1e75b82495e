import { PassThrough } from 'node:stream';
import { fail, ok, Workspace } from '@liminal/contracts';
import { listFolders, stillThere } from '../../files/list-folders.ts';
import type { AppDeps } from '../build-app.ts';
import type { CliProvider } from '../../providers/provider.ts';
import { checkpointTotals } from '../../preferences/checkpoint-limits.ts';
import { giveCookie } from '../page.ts';
import { bearerIn, pageSecretIn } from '../../access/guard.ts';
import type { Handlers } from './handlers.ts';

const mostRecent = 12;
const workspaceKey = 'workspace';
const emptyWorkspace: Workspace = { tabs: [], activeTab: null };

export function workbenchHandlers(deps: AppDeps): Handlers['workbench'] {
  const { cluster, home, preferences, projects, registry, search, sessions, store, version, visitors } = deps;
  const stateOf = async (provider: CliProvider) => {
    const state = await provider.availability();
    return state.available || !deps.installer.canInstall(provider.cliType) ? state : { ...state, install: true };
  };
  return {
    health: () => ok({ ok: true, version }),
    async providers() {
      const providers = registry.all().map(async (provider) => ({
        cliType: provider.cliType,
        name: provider.name,
        capabilities: provider.capabilities,
        signIn: (await provider.signInProgram?.()) !== undefined,
        ...(await stateOf(provider)),
      }));
      return ok({ providers: await Promise.all(providers) });
    },
    installAgent(id) {
      const lines = new PassThrough();
      const installing = deps.installer.install(id, (step) => void lines.write(`${JSON.stringify(step)}\n`));
      if (!installing.ok) return installing;
      // Closing the request doesn't stop the installation.
      void installing.value.finally(() => lines.end());
      return ok(lines);
    },
    async folders(query) {
      const listed = await listFolders(query, home);
      if (!listed.ok) return listed;
      // Include removed projects: users may want them back.
      const added = store.projects().toSorted((a, b) => (a.addedAt < b.addedAt ? 1 : -1));
      const recent = await stillThere(added.slice(0, mostRecent).map(({ dir }) => dir));
      return ok({ ...listed.value, home, recent });
    },
    events: {
      async withExchange({ reply }, { after, wait = 0 }) {
        const gone = new AbortController();
        reply.raw.once('close', () => gone.abort());
        return ok(await deps.events.read(after, wait * 1000, gone.signal));
      },
    },
    search: ({ q, limit, sessionId }) => ok({ hits: search.search(q, limit, sessionId) }),
    workspace() {
      const stored = Workspace.safeParse(store.setting(workspaceKey));
      return ok(stored.success ? stored.data : emptyWorkspace);
    },
    async saveWorkspace(workspace) {
      await store.write([{ type: 'put-setting', key: workspaceKey, value: workspace }]);
      return ok({});
    },
    preferences: () => ok(preferences.get()),
    checkpoints: () => ok({ repositories: checkpointTotals(store.checkpointSizes()) }),
    savePreferences: (body) => preferences.set(body),
    async startDemo() {
      const projectDir = await deps.demoFolder();
      const added = await projects.add(projectDir);
      // Trust our own demo folder, because we wrote everything in it.
      if (added.ok && !added.value.project.trusted) await projects.trust(added.value.project.projectId, true);
      return sessions.create({ cliType: 'demo', projectDir });
    },
    cluster: () => ok({ cluster: cluster?.view() ?? null }),
    signIn: {
      withExchange({ request, reply }) {
        const token = bearerIn(request.headers);
        const secret = pageSecretIn(request.headers, false) ?? '';
        const visitor = token === undefined ? visitors.withSecret(secret) : visitors.of(token);
        if (!visitor) return fail('UNAUTHORIZED', 'Sign in with the access token.');
        giveCookie(reply, visitor, deps);
        return ok({ secret: visitor.secret });
      },
    },
    rotateToken: {
      withExchange({ request, reply }) {
        const rotated = deps.rotateToken();
        if (!rotated.ok) return rotated;
        // From here on, the old token gives no access. The sockets close after the response, so the page that asked can
        // reconnect with its new secret.
        reply.raw.once('close', deps.revokeSockets());
        // A page never gets the token. A program needs it.
        if (bearerIn(request.headers) !== undefined) return ok({ token: rotated.value });
        const visitor = visitors.of(rotated.value);
        giveCookie(reply, visitor, deps);
        return ok({ secret: visitor.secret });
      },
    },
  };
}

export function webhookHandlers({ webhooks }: AppDeps): Handlers['webhook'] {
  return {
    list: () => ok({ webhooks: webhooks.list() }),
    add: (body) => webhooks.add(body),
    remove: (webhookId) => webhooks.remove(webhookId),
  };
}
