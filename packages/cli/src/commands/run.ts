import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { Client } from '@liminal/client/connect';
import type { Run } from '../base/command.ts';
import { exitCodes } from '../base/exit-codes.ts';
import { insideAgentFailure, isInsideAgent } from '../base/inside-agent.ts';
import { readMessage } from '../base/read-message.ts';
import { dataDirOf, runningServer } from '../base/server-access.ts';
import { settle } from '../base/settle.ts';
import { startServer } from '../base/start-server.ts';
import { visible } from '../base/terminal.ts';

/** Node's fetch waits five minutes for a reply. Setting up a new worktree may take longer. */
const cutOffMs = 290_000;

/** Asks again if the reply takes too long. The ids in the body keep the server from starting a second session. */
async function create(
  client: Client,
  body: Parameters<Client['session']['create']>[0],
): ReturnType<Client['session']['create']> {
  for (;;) {
    const since = performance.now();
    const created = await client.session.create(body);
    const isCutOff = !created.ok && created.failure.code === 'UNREACHABLE' && performance.now() - since > cutOffMs;
    if (!isCutOff) return created;
  }
}

/** Starts a session in a folder and sends it its first message. */
export const run: Run = async (invocation) => {
  const { terminal, args, flag, has, env, cwd } = invocation;
  if (flag('mode') !== undefined && isInsideAgent(env)) {
    terminal.complain(insideAgentFailure);
    return exitCodes.failed;
  }
  const [base, branch] = [flag('base'), flag('branch')];
  if (!has('worktree') && (base !== undefined || branch !== undefined)) {
    terminal.complain({ code: 'USAGE', message: '--base and --branch go with --worktree.' });
    return exitCodes.usage;
  }
  const dataDir = dataDirOf(flag('data-dir'), env);
  if (has('start') && !env['LIMINAL_URL'] && runningServer(dataDir) === null) {
    const problem = await startServer(dataDir, env);
    if (problem !== null) {
      terminal.complain({ code: 'START_FAILED', message: problem });
      return exitCodes.failed;
    }
  }
  const client = await invocation.client();
  if (!client) return exitCodes.failed;
  const content = await readMessage(args[0] ?? '');
  const [modelId, modeId] = [flag('model'), flag('mode')];
  const created = await create(client, {
    cliType: flag('agent') ?? 'claude-code',
    projectDir: resolve(cwd, flag('project') ?? '.'),
    options: { ...(modelId !== undefined && { modelId }), ...(modeId !== undefined && { modeId }) },
    clientSessionId: randomUUID(),
    message: { content, clientMessageId: randomUUID() },
    ...(has('confirm') && { confirm: true }),
    ...(has('worktree') && {
      place: {
        kind: 'worktree' as const,
        ...(base !== undefined && { base }),
        ...(branch !== undefined && { branch }),
      },
    }),
  });
  if (!created.ok) {
    terminal.complain(created.failure);
    return exitCodes.failed;
  }
  const { sessionId, cliType, projectId, place, turnId } = created.value;
  if (turnId === undefined) {
    const message = `The server is older than this command and left out the message. Send it to session ${sessionId}.`;
    terminal.complain({ code: 'NOT_SUPPORTED', message });
    return exitCodes.failed;
  }
  if (has('worktree') && place)
    terminal.note(`Works in ${visible(place.folder)} on ${visible(place.branch ?? 'no branch')}.`);
  if (terminal.isJson) terminal.json({ sessionId, turnId, cliType, projectId, place });
  else if (has('wait')) terminal.note(`Session ${sessionId}`);
  else terminal.line(visible(sessionId));
  return has('wait') ? settle(invocation, client, sessionId, turnId) : exitCodes.done;
};
