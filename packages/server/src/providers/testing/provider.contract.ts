import { afterEach, beforeEach, describe } from 'vitest';
import { type ProviderUnderTest, createContractKit } from './contract/contract-kit.ts';
import { forkContract } from './contract/fork.contract.ts';
import { sessionLifeContract } from './contract/session-life.contract.ts';
import { turnsContract } from './contract/turns.contract.ts';

/**
 * The contract of every provider, whatever its agent. `patienceMs`: how long one step of a slow agent may take.
 * `isWhole: false` runs only the cases that depend most on the agent, for a provider that runs every case with another
 * agent.
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
