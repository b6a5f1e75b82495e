import type { InstallStep } from '@liminal/contracts';
import type { Api } from '../../connection/api.ts';
import { createCell, type Cell } from '../base/cell.ts';

export type AgentInstalls = Cell<ReadonlyMap<string, InstallStep>> & {
  /** Has the server install an agent, and shows how far it is; one that failed can be started again. */
  readonly start: (cliType: string) => Promise<void>;
};

const beginning: InstallStep = { state: 'installing', megabytes: 0, of: 1 };

/** Installations that this page asked for, by agent. The server continues with them when the page is closed. */
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
          // The agent is shown as usable only when the list says so.
          if ((line as InstallStep).state === 'installing') show(cliType, line as InstallStep);
        },
      });
      const last = reply.ok ? reply.value : { ...beginning, state: 'failed' as const, message: reply.failure.message };
      if (last.state === 'installed') await onInstalled();
      // Cut off before its end: nobody knows, and asking again joins it.
      const isCut = last.state === 'installing';
      show(
        cliType,
        isCut
          ? { ...last, state: 'failed', message: 'The connection was lost. Try again to see how far it is.' }
          : last,
      );
    },
  };
}
