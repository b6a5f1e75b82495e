import { rmSync } from 'node:fs';
import { launchBrowser } from '@liminal/e2e/src/support/browser.ts';
import { claudeHome, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel, type StandInModel } from '@liminal/stand-ins/model-server';
import type { Bench, BenchResult, Mode, Row } from '../bench.ts';
import { benchFolder } from '../host/start-host.ts';
import { processMemory } from '../processes/process-memory.ts';
import { median, noiseOf } from '../statistics/quantile.ts';
import type { Contender } from './contenders/contender.ts';
import { firstLoad, firstWords, longAnswer } from './contenders/measure.ts';
import { startOurProgram } from './contenders/ours.ts';
import { mishaps } from './mishaps.ts';
import { startCloudCli } from './contenders/cloudcli.ts';

const untilSpareIsReadyMs = 4_000;
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** What both sides are asked for; the peer's figures are the baseline where they were had. */
async function sideBySide(contenders: readonly Contender[], model: StandInModel, mode: Mode): Promise<Row[]> {
  const rounds = mode === 'quick' ? 3 : 7;
  await wait(untilSpareIsReadyMs);
  const memory = contenders.map(({ pid }) => processMemory(pid).rss);
  const first = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, contender] of contenders.entries()) {
      await wait(untilSpareIsReadyMs);
      first[index]?.push(await firstWords(contender));
    }
  const words = mode === 'quick' ? 2_000 : 19_000;
  const long = [];
  for (const contender of contenders) long.push(await longAnswer(contender, model, words));
  const loads = [];
  const browser = await launchBrowser();
  for (const contender of contenders) {
    const { page, context } = await browser.visitor();
    loads.push(await firstLoad(page, contender.url));
    await context.close();
  }
  await browser.close();
  const answer = `${Math.round((words * 6.9) / 1000)} KB at 400 words a second`;
  const row = (measure: string, unit: string, values: readonly number[], budget?: Row['budget']): Row => {
    const [value = Number.NaN, baseline] = values;
    return {
      measure,
      value,
      unit,
      ...(baseline === undefined ? {} : { baseline, ratio: value / baseline }),
      ...(budget === undefined ? {} : { budget }),
    };
  };
  return [
    row('resident memory of the server before the first session', 'MB', memory),
    {
      ...row('Enter to the first visible words, new session', 'ms', first.map(median)),
      noise: noiseOf(first[0] ?? []),
    },
    row(
      `${answer}: last words visible after the model’s end`,
      'ms',
      long.map(({ lateMs }) => lateMs),
    ),
    row(
      `${answer}: main thread busy`,
      '',
      long.map(({ share }) => share),
      'main thread while streaming',
    ),
    row(
      `${answer}: longest task`,
      'ms',
      long.map(({ longestTask }) => longestTask),
      'longest task while streaming',
    ),
    row(
      `${answer}: sent per byte`,
      '',
      long.map(({ sentPerByte }) => sentPerByte),
    ),
    row(
      'first load: script, uncompressed',
      'MB',
      loads.map(({ scriptMb }) => scriptMb),
      'first load, uncompressed',
    ),
    row(
      'first load: everything sent',
      'kB',
      loads.map(({ sentKb }) => sentKb),
      'first load, compressed',
    ),
    row(
      'first load: requests to other machines',
      '',
      loads.map(({ foreign }) => foreign),
      'nothing foreign',
    ),
  ];
}

async function measure(mode: Mode, { peers }: { readonly peers: boolean }): Promise<BenchResult> {
  const model = await startStandInModel();
  // Two homes: neither side finds the sessions of the other.
  const homes = [claudeHome(model), claudeHome(model)] as const;
  const [folder, dataDir] = [projectFolder(), benchFolder()];
  const ours = await startOurProgram(folder.dir, dataDir, homes[0].env);
  const remarks: string[] = [];
  let peer: Contender | null = null;
  try {
    if (peers) peer = await startCloudCli(homes[1].env);
    else remarks.push('CloudCLI was not asked for; `--peers` measures it beside ours.');
    const rows = await sideBySide(peer ? [ours, peer] : [ours], model, mode);
    return { rows: [...rows, ...(await mishaps(ours))], remarks };
  } finally {
    await peer?.stop();
    await ours.stop();
    await model.close();
    for (const home of homes) home.cleanup();
    folder.cleanup();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const everyday: Bench = {
  name: 'everyday',
  isLong: true,
  title: 'What a person waits for, with Claude Code in Chromium',
  measures:
    'The program and the real Claude Code, a scripted model behind it, driven through the page as a person does. With `--peers` CloudCLI (`@cloudcli-ai/cloudcli`), installed by the bench alone, stands beside it, asked for the same answers in turns; what happens when things go wrong is measured for ours alone. Sent is what the system counts for the server’s open connections.',
  run: measure,
};
