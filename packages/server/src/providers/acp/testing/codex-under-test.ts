import type { AgentHome } from '@liminal/stand-ins/agent-homes';
import { codexAgent } from '../catalogue/built-in-agents.ts';
import { type CodexHomeOptions, startCodexHome } from './codex-home.ts';
import { startProviderUnderTest } from './provider-under-test.ts';

export type CodexUnderTest = ReturnType<typeof startProviderUnderTest> & {
  readonly projectDir: string;
  readonly home: AgentHome;
  /** Another provider on the same home, as another or a later server would have. */
  another(): ReturnType<typeof startProviderUnderTest>;
};

/** The real Codex behind its adapter, in its own home; only the model is ours. */
export async function startCodex(options: CodexHomeOptions = {}): Promise<CodexUnderTest> {
  const { home, projectDir, env, remove } = await startCodexHome(options);
  const another = () => startProviderUnderTest(codexAgent(env), env);
  const started = another();
  return {
    ...started,
    projectDir,
    home,
    another,
    async cleanup() {
      await started.cleanup();
      await remove();
    },
  };
}
