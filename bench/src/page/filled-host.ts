import { rmSync } from 'node:fs';
import { benchFolder, startHostIn } from '../host/start-host.ts';
import type { Address, Filling } from '../jobs/fill-job.ts';
import type { Asked } from '../processes/start-process.ts';

const job = new URL('../jobs/fill-job.ts', import.meta.url);

export type FilledHost = Asked & { readonly address: Address; readonly sessionIds: readonly string[] };

/** A server restarted with existing sessions, like a user's server every morning. */
export async function startFilledHost(fillings: readonly Filling[]): Promise<FilledHost> {
  const folder = benchFolder();
  const before = await startHostIn(folder, job);
  const sessionIds = await before.ask<string[]>('fill', fillings);
  await before.stop();
  const host = await startHostIn(folder, job);
  return {
    ...host,
    sessionIds,
    address: await host.ask<Address>('address'),
    async stop() {
      await host.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
