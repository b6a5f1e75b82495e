import { randomUUID } from 'node:crypto';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * The whole program with two more agents: one that records every prompt in `RECORDING_FILE`, and one inside the server
 * that causes uncaught errors.
 */
enableCompileCache(join(import.meta.dirname, '../../../../../node_modules/.cache/liminal-compile'));
const { createAcpProvider } = await import('../../providers/acp/acp-provider.ts');
const { registerProviders } = await import('../../compose/register-providers.ts');
const { createScriptedProvider } = await import('../../providers/testing/scripted-provider.ts');
const { run } = await import('../../compose/run.ts');
const { recordingAgent } = await import('./recording-agent-spec.ts');
const { RECORDING_FILE: file = '/dev/null', RECORDING_MARK: mark = 'none' } = process.env;

const blame = (error: Error): never => {
  throw error;
};

await run(process.argv.slice(2), process.env, (registry, given) => {
  registerProviders(registry, given);
  const { spawner, log, env, version } = given;
  const deps = {
    spawner,
    log,
    env,
    now: Date.now,
    newId: () => randomUUID(),
    clientVersion: version,
    neutralDir: '/tmp',
  };
  registry.register(createAcpProvider(recordingAgent(file, mark), deps));
  registry.register(
    createScriptedProvider('accidents', {
      async sendMessage(sessionId, message, options) {
        if (message === 'reject') void Promise.reject(new Error('a rejection nobody handles'));
        if (message === 'throw') setTimeout(() => blame(new Error('thrown in a timer')), 0);
        if (message === 'type') throw new TypeError('undefined is not a function');
        return { turnId: options?.turnId ?? sessionId };
      },
    }),
  );
});
