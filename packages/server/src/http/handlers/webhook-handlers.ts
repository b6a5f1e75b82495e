import { ok } from '@liminal/contracts';
import type { AppDeps } from '../build-app.ts';
import type { Handlers } from './handlers.ts';

export function webhookHandlers({ webhooks }: AppDeps): Handlers['webhook'] {
  return {
    list: () => ok({ webhooks: webhooks.list() }),
    add: (body) => webhooks.add(body),
    remove: (webhookId) => webhooks.remove(webhookId),
  };
}
