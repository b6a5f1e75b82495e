import { createPortWatch } from '../processes/port-watch.ts';
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

type TerminalParts = Pick<TerminalServiceDeps, 'projects' | 'worktreeFolder' | 'now' | 'newId'> & {
  readonly openPtys: (() => Promise<PtyHost | null>) | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signInFolder: () => Promise<string>;
  readonly registry: ProviderRegistry;
  readonly keeper: Pick<AgentKeeper, 'restartIdle'>;
  /** The process of a session's agent, if it is running. */
  readonly agentOf: (sessionId: string) => number | undefined;
  readonly onError: (error: unknown) => void;
};

/** This server's terminals, and the agent sign-ins that run in them. */
export function createTerminals(parts: TerminalParts) {
  const { openPtys, signInFolder, registry, keeper, agentOf, onError } = parts;
  let ptys: Promise<PtyHost | null> | undefined;
  const env = () => terminalEnvironment(parts.env);
  const host = () => (ptys ??= openPtys?.() ?? Promise.resolve(null));
  const ports = createPortWatch({
    ownerOf(sessionId) {
      const pid = agentOf(sessionId);
      return pid === undefined ? null : { pid, onlyChildren: true };
    },
    onChanged: () => terminals.agentPortsChanged(),
  });
  const agentPorts = () => [...ports.all()].map(([sessionId, open]) => ({ sessionId, ports: [...open] }));
  const terminals: TerminalService = createTerminalService({ ...parts, host, env, agentPorts });
  const signIn: AgentSignIn = createAgentSignIn({
    registry,
    terminals,
    folder: signInFolder,
    env,
    restartIdle: keeper.restartIdle,
    onError,
  });
  return { terminals, signIn, toolPrinted: ports.heard };
}
