import { type AgentHome, codexHome, type CodexMode, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel } from '@liminal/stand-ins/model-server';
import { codexAgent } from '../catalogue/built-in-agents.ts';
import { startProviderUnderTest } from './provider-under-test.ts';

export type CodexUnderTest = ReturnType<typeof startProviderUnderTest> & {
  readonly projectDir: string;
  readonly home: AgentHome;
  /** One more provider on the same home, as another server or a later one would have. */
  another(): ReturnType<typeof startProviderUnderTest>;
};

/** The real Codex behind its adapter, in a home of its own; only the model is ours. */
export async function startCodex({
  mode = 'workspace-write',
  env = {},
  prepare = () => {},
}: {
  readonly mode?: CodexMode;
  readonly env?: Readonly<Record<string, string>>;
  readonly prepare?: (home: AgentHome, modelUrl: string) => void;
} = {}): Promise<CodexUnderTest> {
  const model = await startStandInModel();
  const home = codexHome(model, { mode });
  prepare(home, model.baseUrl);
  const project = projectFolder();
  const all = { ...home.env, ...env };
  const another = () => startProviderUnderTest(codexAgent(all), all);
  const started = another();
  return {
    ...started,
    projectDir: project.dir,
    home,
    another,
    async cleanup() {
      await started.cleanup();
      await model.close();
      project.cleanup();
      home.cleanup();
    },
  };
}
