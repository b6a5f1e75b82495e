import { providerContract } from '../testing/provider.contract.ts';
import { startNative } from './testing/native-under-test.ts';

// The real Codex on its own protocol; only the model is ours.
providerContract('CX-2 Codex, natively', async () => ({
  ...(await startNative()),
  prompts: {
    text: '@text Hello from the stand-in',
    tool: '@shell sleep 0.3; echo from the tool\n@text done',
    slow: '@slow 200 50',
  },
}));
