import type { Bench, Row } from '../bench.ts';
import { type Deaths, startMortals } from '../agents/mortal-agents.ts';
import { median } from '../statistics/quantile.ts';

/** How many die in which way. A server takes all its sessions with it. */
const counts = {
  quick: { agents: 3, sessions: 2, servers: 1 },
  full: { agents: 40, sessions: 30, servers: 30 },
} as const;

const merged = (all: readonly Deaths[]): Deaths => ({
  reported: all.flatMap(({ reported }) => reported),
  gone: all.flatMap(({ gone }) => gone),
  left: all.reduce((sum, { left }) => sum + left, 0),
});

function rowsOf(what: string, { reported, gone, left }: Deaths): Row[] {
  const row = (measure: string, values: readonly number[], budget: Row['budget']): Row[] =>
    values.length === 0
      ? []
      : [
          { measure: `${measure}, median of ${values.length}`, value: median(values), unit: 'ms' },
          { measure: `${measure}, slowest`, value: Math.max(...values), unit: 'ms', ...(budget && { budget }) },
        ];
  return [
    ...row(`${what}: reported on the socket`, reported, 'a dead agent is reported'),
    ...row(`${what}: agent and tool gone`, gone, 'nothing is left in time'),
    { measure: `${what}: processes left after 10 s`, value: left, unit: '', budget: 'nothing is left' },
  ];
}

export const deaths: Bench = {
  name: 'deaths',
  title: 'NFR-5: killed agents, sessions and servers',
  measures:
    'The program as a user starts it, with an agent that ignores SIGTERM. Its tool left the process group, lost its parent and ignores SIGTERM too; every second tool also cleared its environment. In mid-turn we kill the agent (SIGKILL), the session (over HTTP), or the server (SIGKILL) with two such sessions. We measure until subscribers know, and until no process is left. A full run kills 100 times, a quick run 6 times.',
  async run(mode) {
    const { agents, sessions, servers } = counts[mode];
    const mortals = await startMortals();
    const found = { agent: [] as Deaths[], session: [] as Deaths[], server: [] as Deaths[] };
    try {
      for (let kill = 0; kill < agents; kill += 1) found.agent.push(await mortals.killAgent());
      for (let kill = 0; kill < sessions; kill += 1) found.session.push(await mortals.killSession());
      for (let kill = 0; kill < servers; kill += 1) found.server.push(await mortals.killServer());
    } finally {
      await mortals.stop();
    }
    return {
      rows: [
        ...rowsOf('agent killed', merged(found.agent)),
        ...rowsOf('session killed over HTTP', merged(found.session)),
        ...rowsOf('server killed', merged(found.server)),
      ],
    };
  },
};
