import { afterEach, beforeEach, describe } from 'vitest';
import { type ProviderUnderTest, createContractKit } from './contract/contract-kit.ts';
import { forkContract } from './contract/fork.contract.ts';
import { sessionLifeContract } from './contract/session-life.contract.ts';
import { turnsContract } from './contract/turns.contract.ts';

/**
 * What every provider promises, whatever agent is behind it. `patienceMs`: how long one step of a slow agent may take.
 * `isWhole: false` keeps only the cases that show most of the agent itself, for a further agent of a provider that has
 * run every case with another one.
 */
export function providerContract(
  name: string,
  make: () => Promise<ProviderUnderTest>,
  { patienceMs = 25_000, isWhole = true }: { readonly patienceMs?: number; readonly isWhole?: boolean } = {},
): void {
  describe(`provider contract: ${name}`, { timeout: 4 * patienceMs }, () => {
    let subject: ProviderUnderTest;
    beforeEach(async () => {
      subject = await make();
    });
    afterEach(() => subject.cleanup());

    const kit = createContractKit(() => subject, { patienceMs, isWhole });
    sessionLifeContract(kit);
    turnsContract(kit);
    if (isWhole) forkContract(kit);
  });
}
