import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../observe/logger.ts';
import { createProviderRegistry } from '../providers/registry.ts';
import { createScriptedProvider, type ScriptedProvider } from '../providers/scripted-provider.ts';
import { serve, type ServeDeps, type Served } from '../serve.ts';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import type { Store } from '../store/store.ts';

export const testToken = 'test-token-of-sufficient-length';

export type TestServer = {
  readonly served: Served;
  readonly provider: ScriptedProvider;
  readonly store: Store;
  readonly folder: string;
  /** A request as an API client makes it. */
  call(method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, body?: unknown): Promise<{ status: number; body: any }>;
  /** A session of the scripted provider, ready to be sent to. */
  newSession(): Promise<string>;
  close(): Promise<void>;
};

export type TestServerOptions = Partial<Pick<ServeDeps, 'limits' | 'idleMs' | 'maxLiveAgents'>> & {
  readonly store?: Store;
  readonly provider?: ScriptedProvider;
  readonly folder?: string;
};

/** The real service, routes and delivery over a scripted provider; by default nothing touches the disk. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const store = options.store ?? createMemoryStore();
  const provider = options.provider ?? createScriptedProvider();
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'liminal-project-'));
  const registry = createProviderRegistry();
  registry.register(provider);
  const served = await serve({
    store,
    registry,
    token: () => testToken,
    host: '127.0.0.1',
    port: 0,
    version: 'test',
    pageDir: null,
    demoFolder: async () => folder,
    idleMs: options.idleMs ?? 3_600_000,
    maxLiveAgents: options.maxLiveAgents ?? 8,
    log: createLogger(process.env['LIMINAL_LOG'] ?? 'silent'),
    limits: { writeBehindMs: 20, ...options.limits },
  });
  const call: TestServer['call'] = async (method, url, body) => {
    const reply = await served.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${testToken}`, host: `localhost:${portOf(served)}` },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return { status: reply.statusCode, body: reply.body === '' ? null : parsed(reply.body) };
  };
  return {
    served,
    provider,
    store,
    folder,
    call,
    async newSession() {
      const { body } = await call('POST', '/api/session/create', { cliType: provider.cliType, projectDir: folder });
      return body.sessionId as string;
    },
    async close() {
      await served.close();
      if (!options.folder) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function portOf({ app }: Served): number {
  const address = app.server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
