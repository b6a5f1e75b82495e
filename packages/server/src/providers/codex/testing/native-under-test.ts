import { type AgentHome, codexHome, type CodexMode, projectFolder } from '@liminal/stand-ins/agent-homes';
import { type StandInModel, startStandInModel } from '@liminal/stand-ins/model-server';
import { codexAgent } from '../../acp/catalogue/built-in-agents.ts';
import { createAcpProvider } from '../../acp/acp-provider.ts';
import { runProvider, type RunningProvider } from '../../acp/testing/provider-under-test.ts';
import type { CliProvider } from '../../provider.ts';
import { createCodexProvider } from '../codex-provider.ts';
import { codexServer } from '../process/codex-program.ts';

export type NativeUnderTest = RunningProvider<CliProvider> & {
  readonly model: StandInModel;
  readonly projectDir: string;
  readonly home: AgentHome;
  /** One more provider on the same home, as another server or a later one would have. */
  another(): RunningProvider<CliProvider>;
  /** The same home through Codex's adapter. */
  throughAdapter(): RunningProvider<CliProvider>;
};

/** The real Codex on its own protocol, in a home of its own; only the model is ours. */
export async function startNative({
  mode = 'workspace-write',
  env = {},
  prepare = () => {},
}: {
  readonly mode?: CodexMode;
  readonly env?: Readonly<Record<string, string>>;
  readonly prepare?: (home: AgentHome, modelUrl: string) => void;
} = {}): Promise<NativeUnderTest> {
  const model = await startStandInModel();
  const home = codexHome(model, { mode });
  prepare(home, model.baseUrl);
  const project = projectFolder();
  const all = { ...home.env, ...env };
  const others: RunningProvider<CliProvider>[] = [];
  const run = (make: Parameters<typeof runProvider<CliProvider>>[0]): RunningProvider<CliProvider> => {
    const running = runProvider(make, all);
    others.push(running);
    return running;
  };
  const another = () => run((deps) => createCodexProvider(codexServer(all), deps));
  const started = another();
  return {
    ...started,
    model,
    projectDir: project.dir,
    home,
    another,
    throughAdapter: () => run((deps) => createAcpProvider(codexAgent(all), deps)),
    async cleanup() {
      for (const running of others) await running.cleanup();
      await model.close();
      project.cleanup();
      home.cleanup();
    },
  };
}
