import type { AppDeps } from '../build-app.ts';
import type { Handlers } from './handlers.ts';

export function terminalHandlers({ terminals }: AppDeps): Handlers['terminal'] {
  return {
    open: (projectId, body) => terminals.open(projectId, body),
    list: (projectId) => terminals.list(projectId),
    remove: (terminalId) => terminals.remove(terminalId),
  };
}
