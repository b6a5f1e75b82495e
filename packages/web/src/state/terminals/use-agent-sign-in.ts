import { useProvider } from '../sessions/use-provider.ts';
import { useCell, useWorkbench } from '../workbench/use-workbench.ts';

export type AgentSignIn = {
  /** `done`: the agent's own sign-in command succeeded. */
  readonly phase: 'none' | 'running' | 'done' | 'failed';
  /** Opens a terminal with the agent's own sign-in, or shows a running one. */
  readonly start: () => void;
};

/** Signing in to a session's agent, in a terminal on the page; null if that agent has no command for it. */
export function useAgentSignIn(sessionId: string): AgentSignIn | null {
  const { terminals } = useWorkbench();
  const list = useCell(terminals.list);
  const { cliType, signIn = false } = useProvider(sessionId) ?? {};
  if (cliType === undefined || !signIn) return null;
  const last = list?.findLast((terminal) => terminal.kind === 'sign-in' && terminal.cliType === cliType);
  const ended = last?.exitCode === 0 ? 'done' : 'failed';
  const phase = last === undefined ? 'none' : last.running ? 'running' : ended;
  return {
    phase,
    start() {
      if (last?.running === true) terminals.reveal(last.terminalId);
      else void terminals.signIn(cliType);
    },
  };
}
