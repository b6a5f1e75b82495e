import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentHome, codexHome, type CodexMode, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel } from '@liminal/stand-ins/model-server';

export type CodexHomeOptions = {
  readonly mode?: CodexMode;
  readonly env?: Readonly<Record<string, string>>;
  readonly prepare?: (home: AgentHome, modelUrl: string) => void;
};

/** A home for the real Codex and a project; only the model is ours. */
export async function startCodexHome({ mode = 'workspace-write', env = {}, prepare }: CodexHomeOptions) {
  const model = await startStandInModel();
  const home = codexHome(model, { mode });
  prepare?.(home, model.baseUrl);
  const project = projectFolder();
  return {
    model,
    home,
    projectDir: project.dir,
    env: { ...home.env, ...env },
    async remove(): Promise<void> {
      await model.close();
      project.cleanup();
      home.cleanup();
    },
  };
}

/** Codex without an account: prepares its home. */
export const withoutAccount = (home: AgentHome, modelUrl: string): void =>
  writeFileSync(
    join(home.env['CODEX_HOME'] ?? '', 'config.toml'),
    `model = "gpt-5.5"\nopenai_base_url = "${modelUrl}/v1"\ncheck_for_update_on_startup = false\n[analytics]\nenabled = false\n[features]\napps = false\nplugins = false\n`,
  );
