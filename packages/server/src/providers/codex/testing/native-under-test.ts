import type { AgentHome } from '@liminal/stand-ins/agent-homes';
import type { StandInModel } from '@liminal/stand-ins/model-server';
import { codexAgent } from '../../acp/catalogue/built-in-agents.ts';
import { createAcpProvider } from '../../acp/acp-provider.ts';
import { type CodexHomeOptions, startCodexHome } from '../../acp/testing/codex-home.ts';
import { runProvider, type RunningProvider } from '../../acp/testing/provider-under-test.ts';
import type { CliProvider } from '../../provider.ts';
import { createCodexProvider } from '../codex-provider.ts';
import { codexServer } from '../process/codex-program.ts';

export type NativeUnderTest = RunningProvider<CliProvider> & {
  readonly model: StandInModel;
  readonly projectDir: string;
  readonly home: AgentHome;
  /** Another provider on the same home, as another or a later server would have. */
  another(): RunningProvider<CliProvider>;
  /** The same home through Codex's adapter. */
  throughAdapter(): RunningProvider<CliProvider>;
};

/** The real Codex on its own protocol, in its own home; only the model is ours. */
export async function startNative(options: CodexHomeOptions = {}): Promise<NativeUnderTest> {
  const { model, home, projectDir, env, remove } = await startCodexHome(options);
  const others: RunningProvider<CliProvider>[] = [];
  const run = (make: Parameters<typeof runProvider<CliProvider>>[0]): RunningProvider<CliProvider> => {
    const running = runProvider(make, env);
    others.push(running);
    return running;
  };
  const another = () => run((deps) => createCodexProvider(codexServer(env), deps));
  const started = another();
  return {
    ...started,
    model,
    projectDir,
    home,
    another,
    throughAdapter: () => run((deps) => createAcpProvider(codexAgent(env), deps)),
    async cleanup() {
      for (const running of others) await running.cleanup();
      await remove();
    },
  };
}
