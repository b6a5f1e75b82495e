import type { InstallStep } from '@liminal/contracts';
import type { Api } from '../../connection/api.ts';
import { createCell, type Cell } from '../base/cell.ts';

export type AgentInstalls = Cell<ReadonlyMap<string, InstallStep>> & {
  /** Has the server install an agent, and tracks the progress; a failed one can be started again. */
  readonly start: (cliType: string) => Promise<void>;
};

const beginning: InstallStep = { state: 'installing', megabytes: 0, of: 1 };

/** Installations that this page started, by agent. The server continues when the page is closed. */
export function createAgentInstalls(
  api: Pick<Api['workbench'], 'installAgent'>,
  onInstalled: () => Promise<void>,
): AgentInstalls {
  const cell = createCell<ReadonlyMap<string, InstallStep>>(new Map());
  const show = (cliType: string, step: InstallStep): void => cell.update((held) => new Map(held).set(cliType, step));
  return {
    ...cell,
    async start(cliType) {
      if (cell.get().get(cliType)?.state === 'installing') return;
      show(cliType, beginning);
      const reply = await api.installAgent(cliType, {
        onLine: (line) => {
          // The agent counts as usable only once the list says so.
          if ((line as InstallStep).state === 'installing') show(cliType, line as InstallStep);
        },
      });
      const last = reply.ok ? reply.value : { ...beginning, state: 'failed' as const, message: reply.failure.message };
      if (last.state === 'installed') await onInstalled();
      // The connection ended early: the outcome is unknown, and a new request joins the installation.
      const isCut = last.state === 'installing';
      show(
        cliType,
        isCut ? { ...last, state: 'failed', message: 'The connection was lost. Try again to see the progress.' } : last,
      );
    },
  };
}
