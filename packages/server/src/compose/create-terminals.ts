import type { AgentKeeper } from '../sessions/service/agent-keeper.ts';
import { type AgentSignIn, createAgentSignIn } from '../sessions/service/agent-sign-in.ts';
import type { PtyHost } from '../terminals/pty/pty.ts';
import { terminalEnvironment } from '../terminals/terminal-environment.ts';
import {
  createTerminalService,
  type TerminalService,
  type TerminalServiceDeps,
} from '../terminals/terminal-service.ts';
import type { ProviderRegistry } from '../providers/registry.ts';

type TerminalParts = Pick<TerminalServiceDeps, 'projects' | 'machineOf' | 'worktreeFolder' | 'now' | 'newId'> & {
  readonly openPtys: (() => Promise<PtyHost | null>) | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signInFolder: () => Promise<string>;
  readonly registry: ProviderRegistry;
  readonly keeper: Pick<AgentKeeper, 'restartIdle'>;
  readonly onError: (error: unknown) => void;
};

/** The terminals of this server, and the sign-ins of agents that run in them. */
export function createTerminals(parts: TerminalParts): { terminals: TerminalService; signIn: AgentSignIn } {
  const { openPtys, signInFolder, registry, keeper, onError } = parts;
  let ptys: Promise<PtyHost | null> | undefined;
  const env = () => terminalEnvironment(parts.env);
  const host = () => (ptys ??= openPtys?.() ?? Promise.resolve(null));
  const terminals = createTerminalService({ ...parts, host, env });
  const signIn = createAgentSignIn({
    registry,
    terminals,
    folder: signInFolder,
    env,
    restartIdle: keeper.restartIdle,
    onError,
  });
  return { terminals, signIn };
}
