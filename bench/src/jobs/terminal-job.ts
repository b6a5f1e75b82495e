import type { BenchHost } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';

/** A server with a trusted folder, for terminals and files. */
export async function run(host: BenchHost): Promise<void> {
  const { body } = await host.call('POST', '/api/projects', { dir: `${host.folder}/project` });
  const { projectId } = body as { projectId: string };
  await host.call('POST', `/api/projects/${projectId}/trust`, { trusted: true });
  await answerQuestions({
    open: () => ({ port: host.port, token: host.token, projectId, folder: `${host.folder}/project` }),
  });
}
