import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { codexHome, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel } from '@liminal/stand-ins/model-server';
import { firstTokenByHand, loadByHand } from '../agents/bare-acp.ts';
import { startOurs } from '../agents/first-token-through-us.ts';
import type { Bench, Mode, Row } from '../bench.ts';
import type { BudgetName } from '../budgets.ts';
import { median, noiseOf } from '../statistics/quantile.ts';
import { tryAgain } from '../try-again.ts';

const prompt = '@text Hello from a model that answers at once.';
const script = join(
  dirname(createRequire(import.meta.url).resolve('@agentclientprotocol/codex-acp/package.json')),
  'dist/index.js',
);

/** Cleanup after the previous run must not slow down the next. */
const rest = () => new Promise((resolve) => setTimeout(resolve, 250));

async function measure(mode: Mode): Promise<{ rows: Row[] }> {
  const model = await startStandInModel();
  const [home, folder] = [codexHome(model, { mode: 'workspace-write' }), projectFolder()];
  const byHand = { script, env: home.env, dir: folder.dir };
  const ours = await startOurs('codex', folder.dir, { ...home.env, LIMINAL_CODEX: 'acp' });
  const took = { token: [] as number[], bareToken: [] as number[], load: [] as number[], bareLoad: [] as number[] };
  try {
    await ours.firstToken(prompt);
    for (let round = 0; round < (mode === 'quick' ? 3 : 10); round += 1) {
      await rest();
      took.token.push(await ours.firstToken(prompt));
      await rest();
      const bare = await firstTokenByHand(byHand, prompt);
      took.bareToken.push(bare.ms);
      await rest();
      took.load.push(await ours.load(ours.lastSession()));
      await rest();
      took.bareLoad.push(await loadByHand(byHand, bare.sessionId));
    }
  } finally {
    await ours.stop();
    await model.close();
    home.cleanup();
    folder.cleanup();
  }
  const row = (measure: string, values: number[], bare: number[], budget: BudgetName): Row => ({
    measure,
    value: median(values),
    unit: 'ms',
    noise: noiseOf(values),
    baseline: median(bare),
    ratio: median(values) / median(bare),
    budget,
  });
  return {
    rows: [
      row('create to first token', took.token, took.bareToken, 'NFR-2 near the adapter by hand'),
      row('load', took.load, took.bareLoad, 'a load near the adapter by hand'),
    ],
  };
}

export const codexFirstToken: Bench = {
  name: 'codex-first-token',
  title: 'NFR-2: Codex, create to first token and load',
  measures:
    'From the request for a session over HTTP to the first word on the socket, and from the request to load a session until it is open. The baseline, alternating with ours, is the adapter without Liminal Builder. A miss is measured again (at most twice, never in a quick run) and listed below the table.',
  async run(mode) {
    const { found, earlier } = await tryAgain(mode, () => measure(mode));
    return { ...found, remarks: earlier };
  },
};
