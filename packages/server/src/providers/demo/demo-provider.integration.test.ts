import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProviderUnderTest } from '../acp/testing/provider-under-test.ts';
import { demoAgent } from '../acp/catalogue/built-in-agents.ts';
import { providerContract } from '../testing/provider.contract.ts';

providerContract('demo agent', async () => {
  const projectDir = await mkdtemp(join(tmpdir(), 'liminal-demo-'));
  const started = startProviderUnderTest(demoAgent(), { LIMINAL_DEMO_SPEED: '20' });
  return {
    ...started,
    projectDir,
    prompts: { text: 'hello', tool: 'use a tool', slow: 'long 20000' },
    async cleanup() {
      await started.cleanup();
      await rm(projectDir, { recursive: true });
    },
  };
});
