import type { AppDeps } from '../build-app.ts';
import type { Handlers } from './handlers.ts';

export function terminalHandlers({ signIn, terminals }: AppDeps): Handlers['terminal'] {
  return {
    open: (projectId, body) => terminals.open(projectId, body),
    list: (projectId) => terminals.list(projectId),
    signIn: (cliType, body) => signIn(cliType, body),
    remove: (terminalId) => terminals.remove(terminalId),
  };
}
