import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { opencodeHome, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel } from '@liminal/stand-ins/model-server';
import { knownAgents } from '../catalogue/known-agents.ts';
import { startProviderUnderTest } from './provider-under-test.ts';

/** Where scripts/setup/test-agents.mjs installs it: it isn't a dependency of the program. */
const program = fileURLToPath(
  new URL('../../../../../../node_modules/.cache/agents/opencode/node_modules/.bin/opencode', import.meta.url),
);

export type OpencodeUnderTest = ReturnType<typeof startProviderUnderTest> & { readonly projectDir: string };

/** The real opencode, with its known entry, in its own home; only the model is ours. */
export async function startOpencode(): Promise<OpencodeUnderTest> {
  if (!existsSync(program))
    throw new Error(`${program} is missing. Run \`node scripts/setup.mjs --test\`, which installs it.`);
  const known = knownAgents.find(({ id }) => id === 'opencode');
  if (!known) throw new Error('opencode is a known agent');
  const model = await startStandInModel();
  const home = opencodeHome(model);
  const project = projectFolder();
  const started = startProviderUnderTest({ ...known, command: program }, home.env);
  return {
    ...started,
    projectDir: project.dir,
    async cleanup() {
      await started.cleanup();
      await model.close();
      project.cleanup();
      home.cleanup();
    },
  };
}
