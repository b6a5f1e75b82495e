import type { SwaggerOptions } from '@fastify/swagger';
import * as contracts from '@liminal/contracts';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';

type Document = {
  readonly paths?: Record<string, Record<string, Operation>>;
  readonly components?: { readonly schemas?: Record<string, unknown> };
};
type Operation = { responses?: Record<string, unknown>; security?: unknown };

/** Schemas for programs that use the socket. No route refers to them. */
const socketSchemas = ['ClientMessageInput', 'ServerMessage'];
const publicPaths = new Set(['/api/health']);
const failure = {
  description: 'An expected failure: a code for programs and a message for users',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/FailureReply' } } },
};

/** The OpenAPI document: every schema of the contracts under its own name, and how a program signs in. */
export function describeApi(version: string): SwaggerOptions {
  const schemaRegistry = namedSchemas();
  const withComponents = createJsonSchemaTransformObject({ schemaRegistry });
  return {
    openapi: {
      info: { title: 'Liminal Builder', version },
      security: [{ bearer: [] }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'The access token: `npx liminal token show`' },
        },
      },
    },
    transform: createJsonSchemaTransform({ schemaRegistry }),
    transformObject: (document) => onlyUsed(withFailures(withComponents(document) as Document)) as never,
  };
}

/** Queries and headers have no schema of their own: the document lists their fields one by one. */
function namedSchemas() {
  const registry = z.registry<{ id: string }>();
  for (const [name, value] of Object.entries(contracts)) {
    if (value instanceof z.ZodType && !/(Query|Headers)$/.test(name) && !registry.has(value))
      registry.add(value, { id: name });
  }
  return registry;
}

function withFailures(document: Document): Document {
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    for (const operation of Object.values(operations)) {
      operation.responses = { ...operation.responses, default: failure };
      if (publicPaths.has(path)) operation.security = [];
    }
  }
  return document;
}

/** Removes schemas that nothing refers to. */
function onlyUsed(document: Document): Document {
  const all = document.components?.schemas ?? {};
  const used = new Set<string>();
  const visit = (name: string): void => {
    if (used.has(name) || !(name in all)) return;
    used.add(name);
    namesIn(all[name]).forEach(visit);
  };
  [...socketSchemas, ...namesIn(document.paths)].forEach(visit);
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return { ...document, components: { ...document.components, schemas } };
}

const namesIn = (value: unknown): string[] =>
  [...JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
