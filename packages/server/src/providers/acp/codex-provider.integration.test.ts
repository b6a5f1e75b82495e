import { isTorture } from '../../reliability/testing/torture.ts';
import { providerContract } from '../testing/provider.contract.ts';
import { startCodex } from './testing/codex-under-test.ts';

// TC-2.1c: the real Codex behind its adapter; only the model is ours.
providerContract(
  'TC-2.1c Codex',
  async () => ({
    ...(await startCodex()),
    prompts: {
      text: '@text Hello from the stand-in',
      tool: '@shell sleep 0.3; echo from the tool\n@text done',
      slow: '@slow 200 50',
    },
  }),
  // The demo agent runs every case of this provider, and Codex runs them on its own protocol.
  { isWhole: isTorture },
);
