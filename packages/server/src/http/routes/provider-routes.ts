import { ProvidersReply } from '@liminal/contracts';
import type { AppDeps, TypedApp } from '../build-app.ts';

export function providerRoutes(app: TypedApp, { registry }: AppDeps): void {
  app.get('/api/providers', { schema: { response: { 200: ProvidersReply } } }, async () => ({
    providers: await Promise.all(
      registry.all().map(async ({ cliType, name, capabilities, availability }) => ({
        cliType,
        name,
        capabilities,
        ...(await availability()),
      })),
    ),
  }));
}
