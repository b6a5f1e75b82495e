import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isLiving, processesWith } from '../processes/living-processes.ts';
import { isAgentsWord, isOf, type OurProgram, startOurProgram } from './our-program.ts';

/** In milliseconds from the kill; a kill that leaves processes behind counts as `left`, and its time as infinite. */
export type Deaths = { readonly reported: readonly number[]; readonly gone: readonly number[]; readonly left: number };

export type Mortals = {
  killAgent(): Promise<Deaths>;
  killSession(): Promise<Deaths>;
  /** With two working sessions; the next kill has a new server. */
  killServer(): Promise<Deaths>;
  stop(): Promise<void>;
};

const agentFile = fileURLToPath(
  new URL('../../../packages/server/src/reliability/testing/recording-agent.ts', import.meta.url),
);
/** Processes that live longer than this aren't waited for. */
const patienceMs = 10_000;

/** The program with an agent that is hard to end, and so are its tools. */
export async function startMortals(): Promise<Mortals> {
  const root = mkdtempSync(join(tmpdir(), 'liminal-bench-'));
  const [dataDir, folder, record] = [join(root, 'data'), join(root, 'project'), join(root, 'prompts')];
  const mark = randomUUID();
  for (const made of [dataDir, folder]) mkdirSync(made);
  const agent = { id: 'mortal', command: process.execPath, args: [agentFile, record], env: { MORTAL_AGENT: mark } };
  writeFileSync(join(dataDir, 'agents.json'), JSON.stringify([agent]));
  let begun = 0;
  let server: OurProgram = await startOurProgram(folder, { dataDir });

  const bareTools = () =>
    existsSync(`${record}.bare`) ? readFileSync(`${record}.bare`, 'utf8').split('\n').map(Number).filter(Boolean) : [];
  const living = (): number[] => [...processesWith(`MORTAL_AGENT=${mark}`), ...bareTools()].filter(isLiving);

  /** An agent in the middle of a turn, and its tool. */
  const begin = async (): Promise<{ sessionId: string; pids: number[] }> => {
    const before = new Set(living());
    const { projectId, call, subscribe, next } = server;
    const { sessionId = '' } = await call('/api/session/create', { cliType: 'mortal', projectId });
    const isOurs = isOf(sessionId);
    const subscribed = next((message) => isOurs(message) && message.type === 'session:history');
    subscribe(sessionId);
    await subscribed;
    const spoken = next((message) => isOurs(message) && isAgentsWord(message));
    begun += 1;
    await call(`/api/session/${sessionId}/send`, { content: begun % 2 === 0 ? 'tool' : 'bare tool' });
    await spoken;
    return { sessionId, pids: living().filter((pid) => !before.has(pid)) };
  };

  const untilGone = async (pids: readonly number[], began: number): Promise<Pick<Deaths, 'gone' | 'left'>> => {
    for (;;) {
      const left = pids.filter(isLiving).length;
      const took = performance.now() - began;
      if (left === 0) return { gone: [took], left: 0 };
      if (took > patienceMs) return { gone: [Infinity], left };
      await wait(10);
    }
  };
  const turnEnds = (sessionId: string): Promise<number> => {
    const isOurs = isOf(sessionId);
    return server.next(
      (message) => isOurs(message) && message.type === 'session:turn' && message.payload.type === 'turn_error',
    );
  };

  return {
    async killAgent() {
      const { sessionId, pids } = await begin();
      const reported = turnEnds(sessionId);
      const [agentPid = 0] = pids;
      const began = performance.now();
      process.kill(agentPid, 'SIGKILL');
      const gone = await untilGone(pids, began);
      return { reported: [(await reported) - began], ...gone };
    },
    async killSession() {
      const { sessionId, pids } = await begin();
      const began = performance.now();
      const killed = server.call(`/api/session/${sessionId}/kill`, {});
      const gone = await untilGone(pids, began);
      await killed;
      return { reported: [], ...gone };
    },
    async killServer() {
      const pids = [...(await begin()).pids, ...(await begin()).pids];
      const began = performance.now();
      server.program.child.kill('SIGKILL');
      const gone = await untilGone(pids, began);
      await server.program.exited;
      server = await startOurProgram(folder, { dataDir });
      return { reported: [], ...gone };
    },
    async stop() {
      await server.stop();
      for (const pid of living()) process.kill(pid, 'SIGKILL');
      rmSync(root, { recursive: true, force: true });
    },
  };
}
