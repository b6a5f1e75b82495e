import { codexHome, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel } from '@liminal/stand-ins/model-server';
import { providerContract } from '../provider.contract.ts';
import { codexAgent } from './agents.ts';
import { startProviderUnderTest } from './testing/provider-under-test.ts';

// TC-2.1c: the real Codex behind its adapter; only the model is ours.
providerContract('TC-2.1c Codex', async () => {
  const model = await startStandInModel();
  const home = codexHome(model, { mode: 'workspace-write' });
  const project = projectFolder();
  const started = startProviderUnderTest(codexAgent(home.env), home.env);
  return {
    ...started,
    projectDir: project.dir,
    prompts: {
      text: '@text Hello from the stand-in',
      tool: '@shell sleep 0.3; echo from the tool\n@text done',
      slow: '@slow 200 50',
    },
    async cleanup() {
      await started.cleanup();
      await model.close();
      project.cleanup();
      home.cleanup();
    },
  };
});
