import { HealthReply } from '@liminal/contracts';
import type { AppDeps, TypedApp } from '../build-app.ts';

export function systemRoutes(app: TypedApp, { version }: AppDeps): void {
  app.get('/api/health', { schema: { response: { 200: HealthReply } } }, async () => ({ ok: true as const, version }));
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
