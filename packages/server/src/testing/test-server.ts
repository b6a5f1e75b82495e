import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../observe/logger.ts';
import type { CliProvider } from '../providers/provider.ts';
import { createProviderRegistry } from '../providers/registry.ts';
import { createScriptedProvider, type ScriptedProvider } from '../providers/testing/scripted-provider.ts';
import { serve, type Served } from '../compose/serve.ts';
import type { ServeDeps } from '../compose/serve-deps.ts';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import type { Store } from '../store/store.ts';

export const testToken = 'test-token-of-sufficient-length';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** A reply whose fields a test reads without declaring their types. */
export type Loose = {
  readonly error: { readonly code: string; readonly message: string };
  readonly [field: string]: unknown;
};

export type TestServer = {
  readonly served: Served;
  readonly provider: ScriptedProvider;
  readonly store: Store;
  readonly folder: string;
  /** Sends a request as an API client. */
  call<Body = Loose>(method: Method, url: string, body?: unknown): Promise<{ status: number; body: Body }>;
  /** A session of the scripted provider, ready for messages. */
  newSession(): Promise<string>;
  close(): Promise<void>;
};

export type TestServerOptions = Partial<
  Pick<
    ServeDeps,
    | 'limits'
    | 'idleMs'
    | 'git'
    | 'maxLiveAgents'
    | 'home'
    | 'agentEnv'
    | 'agentMaker'
    | 'cluster'
    | 'log'
    | 'pageDir'
    | 'token'
    | 'rotateToken'
    | 'publicUrl'
    | 'openPtys'
    | 'env'
    | 'lookup'
    | 'worktreeFolder'
  >
> & {
  /** Additional agents besides the scripted one. */
  readonly others?: readonly CliProvider[];
  readonly store?: Store;
  readonly provider?: ScriptedProvider;
  readonly folder?: string;
  /** The version it reports, because a served page expects its own. */
  readonly version?: string;
};

/** The real service, routes and delivery with a scripted provider. By default nothing touches the disk. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const store = options.store ?? createMemoryStore();
  const provider = options.provider ?? createScriptedProvider();
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'liminal-project-'));
  const registry = createProviderRegistry();
  for (const each of [provider, ...(options.others ?? [])]) registry.register(each);
  const served = await serve({
    store,
    registry,
    token: options.token ?? (() => testToken),
    host: '127.0.0.1',
    port: 0,
    version: options.version ?? 'test',
    pageDir: options.pageDir ?? null,
    demoFolder: async () => folder,
    signInFolder: async () => folder,
    trashFolder: `${folder}-trash`,
    draftFolder: `${folder}-drafts`,
    attachmentFolder: `${folder}-attachments`,
    idleMs: options.idleMs ?? 3_600_000,
    maxLiveAgents: options.maxLiveAgents ?? 8,
    log: options.log ?? createLogger(process.env['LIMINAL_LOG'] ?? 'silent'),
    // On a busy machine, recording a folder may take longer than users should wait.
    limits: { writeBehindMs: 20, lastChanceMs: 0, recordMs: 60_000, ...options.limits },
    ...(options.openPtys === undefined ? {} : { openPtys: options.openPtys }),
    ...(options.git === undefined ? {} : { git: options.git }),
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
    worktreeFolder: options.worktreeFolder ?? `${folder}-worktrees`,
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    ...(options.rotateToken === undefined ? {} : { rotateToken: options.rotateToken }),
    ...(options.cluster === undefined ? {} : { cluster: options.cluster }),
    ...(options.home === undefined ? {} : { home: options.home }),
    ...(options.agentEnv === undefined ? {} : { agentEnv: options.agentEnv }),
    ...(options.agentMaker === undefined ? {} : { agentMaker: options.agentMaker }),
  });
  const call = async <Body = Loose>(method: Method, url: string, body?: unknown) => {
    const reply = await served.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${testToken}`, host: `localhost:${portOf(served)}` },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return { status: reply.statusCode, body: (reply.body === '' ? null : parsed(reply.body)) as Body };
  };
  return {
    served,
    provider,
    store,
    folder,
    call,
    async newSession() {
      const create = { cliType: provider.cliType, projectDir: folder };
      return (await call<{ sessionId: string }>('POST', '/api/session/create', create)).body.sessionId;
    },
    async close() {
      await served.close();
      if (!options.folder) rmSync(folder, { recursive: true, force: true });
      for (const kept of ['drafts', 'attachments', 'trash'])
        rmSync(`${folder}-${kept}`, { recursive: true, force: true });
      if (!options.worktreeFolder) rmSync(`${folder}-worktrees`, { recursive: true, force: true });
    },
  };
}

export function portOf({ app }: Served): number {
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
