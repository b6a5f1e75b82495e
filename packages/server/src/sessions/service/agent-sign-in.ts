import { fail, type OpenSignInBody, type Result, type TerminalSummary } from '@liminal/contracts';
import type { ProviderRegistry } from '../../providers/registry.ts';
import type { TerminalService } from '../../terminals/terminal-service.ts';

export type AgentSignInDeps = {
  readonly registry: Pick<ProviderRegistry, 'all'>;
  readonly terminals: Pick<TerminalService, 'start' | 'follow' | 'all'>;
  /** An empty folder of ours: in a project's folder its hooks and settings would apply. */
  readonly folder: () => Promise<string>;
  /** The environment of the user's own terminal. */
  readonly env: () => Readonly<Record<string, string>>;
  /** Ends idle processes of this agent, which were started without an account. */
  readonly restartIdle: (cliType: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

export type AgentSignIn = (cliType: string, body: OpenSignInBody) => Promise<Result<{ terminalId: string }>>;

/** Signs a user in to an agent: its own sign-in runs in a terminal, then idle agents restart. */
export function createAgentSignIn(deps: AgentSignInDeps): AgentSignIn {
  const { registry, terminals, folder, env, restartIdle, onError } = deps;

  return async (cliType, { cols = 80, rows = 24 }) => {
    const provider = registry.all().find((each) => each.cliType === cliType);
    if (!provider) return fail('UNSUPPORTED_CLI_TYPE', `No agent is called "${cliType}".`);
    const { name } = provider;
    const available = await provider.availability();
    if (!available.available) return fail('AGENT_NOT_INSTALLED', available.reason);
    const program = await provider.signInProgram?.();
    if (!program) return fail('NOT_SUPPORTED', `${name} can't be signed in to from here. Use its own command.`);
    const about = { kind: 'sign-in' as const, projectId: null, cliType, title: `Sign in to ${name}` };
    const opened = await terminals.start(about, { ...program, cwd: await folder(), env: env() }, { cols, rows });
    if (opened.ok) {
      void signedIn(opened.value.terminalId)
        .then(async (isSignedIn) => {
          if (!isSignedIn) return;
          await provider.signedIn?.();
          await restartIdle(cliType);
        })
        .catch(onError);
    }
    return opened;
  };

  /** Resolves when the terminal has ended or is gone, with whether its program succeeded. */
  function signedIn(terminalId: string): Promise<boolean> {
    return new Promise((resolve) => {
      const find = (): TerminalSummary | undefined => terminals.all().find((each) => each.terminalId === terminalId);
      const check = (): void => {
        const terminal = find();
        if (terminal?.running) return;
        stop();
        resolve(terminal?.exitCode === 0);
      };
      const stop = terminals.follow(check);
      check();
    });
  }
}
