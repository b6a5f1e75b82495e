import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { claudeHome, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel } from '@liminal/stand-ins/model-server';
import { firstTokenByHand } from '../agents/bare-acp.ts';
import { claimedSpare, coldQuery, startedBefore } from '../agents/bare-claude.ts';
import { startOurs } from '../agents/first-token-through-us.ts';
import type { Bench, Row } from '../bench.ts';
import type { BarPlot } from '../report/bar-plot.ts';
import { median, noiseOf, quantile } from '../statistics/quantile.ts';

const prompt = '@text Hello from a model that answers at once.';
const cache = fileURLToPath(new URL('../../../node_modules/.cache/agents/claude-agent-acp', import.meta.url));
const adapter = `${cache}/node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js`;
/** Cleanup after the previous run must not slow down the next. */
const rest = () => new Promise((resolve) => setTimeout(resolve, 250));
/** A spare starts a moment after a session; nothing is measured while it starts. */
const untilSpareIsReady = () => new Promise((resolve) => setTimeout(resolve, 3_500));

type Way =
  | 'ours prepared'
  | 'ours with a spare'
  | 'ours without a spare'
  | 'bare query()'
  | 'bare spare (prewarm, claim)'
  | 'bare startup() in the folder'
  | 'ACP adapter';

/** Baselines with the same knowledge in advance: the folder, or only that a session will come. */
const besides: Partial<Record<Way, Way>> = {
  'ours prepared': 'bare startup() in the folder',
  'ours with a spare': 'bare spare (prewarm, claim)',
};

/** The adapter is installed only for this comparison; it isn't part of the product. */
function installAdapter(): void {
  if (existsSync(adapter)) return;
  const wanted = '@agentclientprotocol/claude-agent-acp@0.99.1';
  const done = spawnSync('npm', ['install', '--prefix', cache, '--no-save', '--no-audit', '--no-fund', wanted], {
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) throw new Error(`${wanted} could not be installed: is the npm registry within reach?`);
}

export const claudeFirstToken: Bench = {
  name: 'claude-first-token',
  title: 'NFR-1: Claude Code, create to first token',
  measures:
    'From the request for a session over HTTP to the first word on the socket. The model answers at once. Baselines, alternating with ours, are the SDK and the ACP adapter without Liminal Builder.',
  async run(mode) {
    installAdapter();
    const model = await startStandInModel();
    const [home, folder] = [claudeHome(model), projectFolder()];
    const bare = { env: home.env, dir: folder.dir };
    const ours = await startOurs('claude-code', folder.dir, home.env);
    const took: Record<Way, number[]> = {
      'ours prepared': [],
      'ours with a spare': [],
      'ours without a spare': [],
      'bare query()': [],
      'bare spare (prewarm, claim)': [],
      'bare startup() in the folder': [],
      'ACP adapter': [],
    };
    try {
      await ours.firstToken(prompt);
      for (let round = 0; round < (mode === 'quick' ? 2 : 10); round += 1) {
        await ours.prepare();
        await untilSpareIsReady();
        took['ours prepared'].push(await ours.firstToken(prompt));
        await rest();
        took['ours with a spare'].push(await ours.firstToken(prompt));
        // The next round's spare is still starting: taking it at once shows the path without one.
        await rest();
        took['ours without a spare'].push(await ours.firstToken(prompt));
        await untilSpareIsReady();
        took['bare query()'].push(await coldQuery(bare, prompt));
        await rest();
        took['bare spare (prewarm, claim)'].push(await claimedSpare(bare, prompt));
        await rest();
        took['bare startup() in the folder'].push(await startedBefore(bare, prompt));
        await rest();
        took['ACP adapter'].push((await firstTokenByHand({ script: adapter, ...bare }, prompt)).ms);
      }
    } finally {
      await ours.stop();
      await model.close();
      home.cleanup();
      folder.cleanup();
    }
    const p95 = (values: readonly number[]) => quantile(values, 0.95);
    const beside = (row: Row, baseline: number): Row => ({ ...row, baseline, ratio: row.value / baseline });
    const ways = Object.keys(took) as Way[];
    const rows = ways.flatMap((way): Row[] => {
      const values = took[way];
      const middle: Row = { measure: `${way}, median`, value: median(values), unit: 'ms', noise: noiseOf(values) };
      const late: Row = { measure: `${way}, P95`, value: p95(values), unit: 'ms' };
      const beforehand = besides[way];
      if (!beforehand) return [middle, late];
      const warm = took[beforehand];
      return [{ ...beside(middle, median(warm)), budget: 'NFR-1 near the bare warm path' }, beside(late, p95(warm))];
    });
    const adapterRow = (way: Way): Row => ({
      ...beside(
        { measure: `ACP adapter compared with ${way}, median`, value: median(took['ACP adapter']), unit: 'ms' },
        median(took[way]),
      ),
      ...(way === 'ours prepared' && { budget: 'NFR-1 faster than the adapter' }),
    });
    const plot: BarPlot = {
      name: 'claude-first-token',
      title: 'NFR-1: Claude Code, create to first token',
      unit: 'ms',
      series: ['median', 'P95'],
      groups: ways.map((way) => ({ label: way, values: [median(took[way]), p95(took[way])] })),
    };
    return {
      rows: [...rows, adapterRow('ours prepared'), adapterRow('ours with a spare')],
      plots: [plot],
      remarks: [
        '*Prepared* knows the folder and the options in advance, like `startup()`: the page requests it when the form for a new session opens. *With a spare* knows nothing in advance, like `prewarm()` and `claim()`.',
      ],
    };
  },
};
