import { codexHome, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel } from '@liminal/stand-ins/model-server';
import { codexByHand } from '../agents/bare-codex.ts';
import { type CodexTimes, startCodexThroughUs } from '../agents/codex-through-us.ts';
import type { Bench, Mode, Row } from '../bench.ts';
import type { BudgetName } from '../budgets.ts';
import { median, noiseOf } from '../statistics/quantile.ts';
import { tryAgain } from '../try-again.ts';

const prompt = '@text Hello from a model that answers at once.';
/** Cleanup after the previous run must not slow down the next. */
const rest = () => new Promise((resolve) => setTimeout(resolve, 250));

async function measure(mode: Mode): Promise<{ rows: Row[] }> {
  const model = await startStandInModel();
  const [home, folder] = [codexHome(model, { mode: 'workspace-write' }), projectFolder()];
  const took = { native: [] as CodexTimes[], acp: [] as CodexTimes[], bare: [] as CodexTimes[] };
  const native = await startCodexThroughUs('native', folder.dir, home.env);
  const acp = await startCodexThroughUs('acp', folder.dir, home.env);
  try {
    // In a fresh home the first start creates Codex's databases.
    await native.twoTurns(prompt);
    const ways = [
      async () => took.native.push(await native.twoTurns(prompt)),
      async () => took.acp.push(await acp.twoTurns(prompt)),
      async () => took.bare.push(await codexByHand(home.env, folder.dir, prompt)),
    ];
    for (let round = 0; round < (mode === 'quick' ? 3 : 20); round += 1) {
      // Each is first in turn, so none always follows the slowest.
      const first = round % ways.length;
      for (const way of [...ways.slice(first), ...ways.slice(0, first)]) {
        await rest();
        await way();
      }
    }
  } finally {
    await native.stop();
    await acp.stop();
    await model.close();
    home.cleanup();
    folder.cleanup();
  }

  type Compared = { readonly what: keyof CodexTimes; readonly beside: 'acp' | 'bare'; readonly isSpeed?: boolean };
  const row = (measure: string, budget: BudgetName, { what, beside, isSpeed = false }: Compared): Row => {
    const [values, others] = [took.native, took[beside]].map((times) => times.map((one) => one[what]));
    const [value, baseline] = [median(values ?? []), median(others ?? [])];
    return {
      measure,
      value,
      unit: what === 'memory' ? 'MB' : 'ms',
      noise: noiseOf(values ?? []),
      baseline,
      ratio: isSpeed ? baseline / value : value / baseline,
      budget,
    };
  };
  return {
    rows: [
      row('cold start to first token, compared with the adapter', 'CX-3 faster than the adapter', {
        what: 'cold',
        beside: 'acp',
        isSpeed: true,
      }),
      row('second turn, compared with the adapter', 'CX-3 a second turn', { what: 'second', beside: 'acp' }),
      row('memory of the agent’s processes, compared with the adapter', 'CX-3 lighter than the adapter', {
        what: 'memory',
        beside: 'acp',
      }),
      row('cold start to first token, compared with the bare app-server', 'CX-3 near the bare app-server', {
        what: 'cold',
        beside: 'bare',
      }),
    ],
  };
}

export const codex: Bench = {
  name: 'codex',
  title: 'CX-3: Codex on its own protocol, through its adapter, and by hand',
  measures:
    'From the request for a session over HTTP to the first word on the socket, then a second message in the same session, then the resident memory of the agent’s processes. Measured in turn: Codex’s own protocol, its adapter, and a bare `codex app-server`. A miss is measured again (at most twice, never in a quick run) and listed below the table.',
  async run(mode) {
    const { found, earlier } = await tryAgain(mode, () => measure(mode));
    return { ...found, remarks: earlier };
  },
};
