import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * The whole program with the recording agent, which keeps its sessions in `RECORDING_HOME`. Machines that get the same
 * file share the agent's home.
 */
enableCompileCache(join(import.meta.dirname, '../../../../../node_modules/.cache/liminal-compile'));
const { createAcpProvider } = await import('../../providers/acp/acp-provider.ts');
const { registerProviders } = await import('../../compose/register-providers.ts');
const { recordingAgent } = await import('../../reliability/testing/recording-agent-spec.ts');
const { run } = await import('../../compose/run.ts');
const { RECORDING_FILE: file = '/dev/null', RECORDING_MARK: mark = 'none', RECORDING_HOME: home = '' } = process.env;

const recorded = (): string[] => (existsSync(home) ? readFileSync(home, 'utf8').split('\n').filter(Boolean) : []);

await run(process.argv.slice(2), process.env, (registry, given) => {
  registerProviders(registry, given);
  const { spawner, log, env, version } = given;
  const newId = () => randomUUID();
  const deps = { spawner, log, env, now: Date.now, newId, clientVersion: version, neutralDir: '/tmp' };
  const provider = createAcpProvider(recordingAgent(file, mark), deps);
  registry.register({
    ...provider,
    async createSession(options) {
      const created = await provider.createSession(options);
      if (home !== '') appendFileSync(home, `${created.sessionId}\n`);
      return created;
    },
    listSessions: async () =>
      recorded().map((sessionId) => ({
        sessionId,
        cliType: 'recording',
        title: 'Recorded',
        updatedAt: '2026-01-01T00:00:00.000Z',
        size: 1,
      })),
  });
});
