import fastifyCookie from '@fastify/cookie';
import swagger from '@fastify/swagger';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { ClusterView, CreateSessionReply, Result } from '@liminal/contracts';
import type { FileFinder } from '../files/file-finder.ts';
import type { PreferenceService } from '../preferences/preference-service.ts';
import type { ProjectService } from '../projects/project-service.ts';
import type { ProviderRegistry } from '../providers/registry.ts';
import type { SearchService } from '../search/search-service.ts';
import type { SessionService } from '../sessions/session-service.ts';
import { handleError, replyWithFailure } from './failure-to-reply.ts';
import { type Guard, headersOf } from './guard.ts';
import { noTokenPage } from './no-token-page.ts';
import { projectHandlers } from './handlers/project-handlers.ts';
import { sessionHandlers } from './handlers/session-handlers.ts';
import { workbenchHandlers } from './handlers/workbench-handlers.ts';
import { pageRoutes } from './page.ts';
import { serveRoutes } from './serve-routes.ts';
import type { Store } from '../store/store.ts';

/** One address and the methods it has; `:name` and `*` stand for what varies. */
export type OfferedRoute = { readonly url: string; readonly methods: readonly string[] };

export type ClusterRoutesDeps = {
  view(): ClusterView;
  takeOver(sessionId: string): Promise<Result<CreateSessionReply>>;
};

export type AppDeps = {
  readonly onRoute: (route: OfferedRoute) => void;
  readonly guard: Guard;
  readonly cookieName: () => string;
  readonly token: () => string;
  readonly rotateToken: () => Result<string>;
  /** Ends every open socket: what they were let in with counts no more. */
  readonly closeSockets: () => void;
  readonly version: string;
  readonly sessions: SessionService;
  readonly projects: ProjectService;
  readonly registry: ProviderRegistry;
  readonly store: Store;
  /** The other machines; null where one works alone. */
  readonly cluster: ClusterRoutesDeps | null;
  readonly demoFolder: () => Promise<string>;
  readonly search: SearchService;
  readonly fileFinder: FileFinder;
  readonly preferences: PreferenceService;
  /** The person's home folder. */
  readonly home: string;
  /** Where the built page lies; null serves the API alone. */
  readonly pageDir: string | null;
  readonly log: FastifyBaseLogger;
};

const bodyLimit = 32 * 1024 * 1024;
/** Agents make ids of their own; a hundred characters, the usual limit, may be too few. */
const maxParamLength = 1_000;

export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const logController = new LogController({ disableRequestLogging: true });
  const admit = doorOf(deps.guard);
  const app = Fastify({
    loggerInstance: deps.log,
    logController,
    bodyLimit,
    forceCloseConnections: true,
    routerOptions: { maxParamLength },
    // An address that cannot be read meets no hook; it meets the same door.
    frameworkErrors: (_error, request, reply) => {
      const unreadable = { code: 'INVALID_REQUEST', message: 'This address cannot be read.' } as const;
      void admit(request, reply).then((isIn) => (isIn ? replyWithFailure(reply, unreadable) : undefined));
    },
  });
  app.addHook('onRoute', ({ url, method }) => deps.onRoute({ url, methods: [method].flat() }));
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request, reply) =>
    replyWithFailure(reply, {
      code: 'NOT_FOUND',
      message: `There is nothing at ${request.method} ${pathOf(request.url)}.`,
    }),
  );
  onlyJson(app);
  await app.register(fastifyCookie);
  app.addHook('onRequest', async (request, reply) => {
    await admit(request, reply);
  });
  await app.register(swagger, {
    openapi: { info: { title: 'Liminal Builder', version: deps.version } },
    transform: jsonSchemaTransform,
  });
  await app.register(async (scope) => {
    serveRoutes(scope, {
      session: sessionHandlers(deps),
      project: projectHandlers(deps),
      workbench: workbenchHandlers(deps),
    });
    scope.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  });
  if (deps.pageDir !== null) await pageRoutes(app, { ...deps, pageDir: deps.pageDir });
  return app;
}

/** Lets a request in, or answers it. */
const doorOf =
  (guard: Guard) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    reply.headers(safeHeaders);
    const { token } = (request.query ?? {}) as { token?: unknown };
    const path = pathOf(request.url);
    const refusal = guard({
      method: request.method,
      path,
      headers: headersOf(request.raw),
      queryToken: typeof token === 'string' ? token : undefined,
      isUpgrade: false,
    });
    if (!refusal) return true;
    const isVisit = refusal.code === 'UNAUTHORIZED' && request.method === 'GET' && path === '/';
    if (isVisit) await reply.status(refusal.status).type('text/html').send(noTokenPage);
    else await replyWithFailure(reply, refusal);
    return false;
  };

/** A stock server takes text/plain from any site without a preflight; this one reads JSON and nothing else. */
function onlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body as string, done);
  });
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? url;

const safeHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
