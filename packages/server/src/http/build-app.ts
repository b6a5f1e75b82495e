import { parse } from 'node:querystring';
import fastifyCookie from '@fastify/cookie';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { ClusterView, CreateSessionReply, Result } from '@liminal/contracts';
import { isModestJson } from '@liminal/domain/json/is-modest-json';
import type { EventFeed } from '../events/event-feed.ts';
import type { ProjectContents } from '../files/contents/project-contents.ts';
import type { FileFinder } from '../files/file-finder.ts';
import type { PreferenceService } from '../preferences/preference-service.ts';
import type { ProjectService } from '../projects/project-service.ts';
import type { AgentInstaller } from '../providers/install-agent.ts';
import type { ProviderRegistry } from '../providers/registry.ts';
import type { SearchService } from '../search/search-service.ts';
import type { TerminalService } from '../terminals/terminal-service.ts';
import type { AgentSignIn } from '../sessions/service/agent-sign-in.ts';
import type { ProjectSettingsService } from '../preferences/project-settings.ts';
import type { CompareService } from '../compare/compare-service.ts';
import type { WorktreeService } from '../worktrees/worktree-service.ts';
import type { SessionService } from '../sessions/service/session-service.ts';
import { describeApi } from './describe-api.ts';
import { handleError, replyWithFailure } from './failure-to-reply.ts';
import { createAdmission } from './admit-requests.ts';
import { type Guard, pathOf } from '../access/guard.ts';
import { projectHandlers, terminalHandlers } from './handlers/project-handlers.ts';
import { sessionHandlers } from './handlers/session-handlers.ts';
import { fileHandlers } from './handlers/file-handlers.ts';
import { webhookHandlers, workbenchHandlers } from './handlers/workbench-handlers.ts';
import { compareHandlers } from './handlers/compare-handlers.ts';
import { worktreeHandlers } from './handlers/worktree-handlers.ts';
import type { Origins } from '../access/origins.ts';
import { pageRoutes } from './page.ts';
import { serveRoutes } from './serve-routes.ts';
import type { Visitors } from '../access/visitors.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import type { Store } from '../store/store.ts';

/** One address and its methods. `:name` and `*` are placeholders. */
export type OfferedRoute = { readonly url: string; readonly methods: readonly string[] };

export type ClusterRoutesDeps = {
  view(): ClusterView;
  takeOver(sessionId: string): Promise<Result<CreateSessionReply>>;
};

export type AppDeps = {
  readonly onRoute: (route: OfferedRoute) => void;
  readonly guard: Guard;
  readonly origins: Origins;
  readonly visitors: Visitors;
  readonly cookieName: () => string;
  readonly rotateToken: () => Result<string>;
  /** Immediately blocks sockets whose token is no longer valid. Call the returned function to close them. */
  readonly revokeSockets: () => () => void;
  readonly httpLimits: HttpLimits;
  readonly version: string;
  readonly sessions: SessionService;
  readonly projects: ProjectService;
  readonly registry: ProviderRegistry;
  readonly store: Store;
  /** The other machines, or null without a cluster. */
  readonly cluster: ClusterRoutesDeps | null;
  readonly demoFolder: () => Promise<string>;
  readonly signIn: AgentSignIn;
  readonly installer: AgentInstaller;
  readonly events: EventFeed;
  readonly webhooks: WebhookService;
  readonly search: SearchService;
  readonly fileFinder: FileFinder;
  readonly contents: ProjectContents;
  readonly terminals: TerminalService;
  readonly preferences: PreferenceService;
  readonly projectSettings: ProjectSettingsService;
  readonly worktrees: WorktreeService;
  readonly compares: CompareService;
  /** The user's home folder. */
  readonly home: string;
  /** The folder of the built page. Null serves only the API. */
  readonly pageDir: string | null;
  readonly log: FastifyBaseLogger;
};

export type HttpLimits = {
  /** A request must arrive completely, including its body, within this time. */
  readonly requestMs: number;
  readonly refusedBodyMs: number;
};

const bodyLimit = 32 * 1024 * 1024;
/** Agents create their own ids, and the usual limit of 100 characters may be too short. */
const maxParamLength = 1_000;
/** Sites on other ports of this host can set cookies that the browser also sends to us: at most 180 of 4 KiB. */
const maxHeaderSize = 1024 * 1024;

/** An empty parameter counts as missing: programs that fill in a template send `after=&wait=5`. */
const readQuery = (text: string) => Object.fromEntries(Object.entries(parse(text)).filter(([, value]) => value !== ''));

const onlyZod = (): never => {
  throw new Error('Zod checks and writes everything');
};

export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const logController = new LogController({ disableRequestLogging: true });
  const { admit, recheck } = createAdmission({ ...deps, ...deps.httpLimits });
  const { requestMs } = deps.httpLimits;
  const app = Fastify({
    loggerInstance: deps.log,
    logController,
    bodyLimit,
    forceCloseConnections: true,
    requestTimeout: requestMs,
    http: {
      maxHeaderSize,
      requestTimeout: requestMs,
      // Node would use a headers timeout longer than the request timeout for both.
      headersTimeout: Math.min(requestMs, 60_000),
      connectionsCheckingInterval: Math.min(requestMs, 30_000),
      // Some programs offer HTTP/2 with every request. Without WebSockets in the offer, it is an ordinary request.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    routerOptions: { maxParamLength, querystringParser: readQuery },
    // Otherwise Fastify would load its own compilers, which take memory and are never used.
    schemaController: { compilersFactory: { buildValidator: onlyZod, buildSerializer: onlyZod } },
    // No hook runs for an address that can't be parsed, so check it here.
    frameworkErrors: (_error, request, reply) => {
      const unreadable = { code: 'INVALID_REQUEST', message: "This address isn't valid." } as const;
      if (admit(request, reply)) void replyWithFailure(reply, unreadable);
    },
  });
  app.addHook('onRoute', ({ url, method }) => deps.onRoute({ url, methods: [method].flat() }));
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request, reply) =>
    replyWithFailure(reply, {
      code: 'NOT_FOUND',
      message: `No route matches ${request.method} ${pathOf(request.url)}.`,
    }),
  );
  onlyJson(app);
  await app.register(fastifyCookie);
  // Both call `next` synchronously, so nothing happens between the last check and the handler.
  app.addHook('onRequest', (request, reply, next) => {
    if (admit(request, reply)) next();
  });
  app.addHook('preHandler', (request, reply, next) => {
    if (recheck(request, reply)) next();
  });
  await app.register(swagger, describeApi(deps.version));
  await app.register(async (scope) => {
    serveRoutes(scope, {
      session: sessionHandlers(deps),
      project: projectHandlers(deps),
      terminal: terminalHandlers(deps),
      file: fileHandlers(deps),
      webhook: webhookHandlers(deps),
      workbench: workbenchHandlers(deps),
      worktree: worktreeHandlers(deps),
      compare: compareHandlers(deps),
    });
    scope.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  });
  if (deps.pageDir !== null) await pageRoutes(app, { ...deps, pageDir: deps.pageDir });
  return app;
}

/**
 * Fastify accepts text/plain by default, which any site can send without a preflight. This server accepts only JSON.
 */
function onlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    if (!isModestJson(body as string)) return done(tooNested);
    void parse(request, body as string, done);
  });
}

const tooNested = Object.assign(new Error('This JSON is nested too deeply, or has too many parts.'), {
  statusCode: 413,
});
