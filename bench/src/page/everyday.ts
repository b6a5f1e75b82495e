import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { launchBrowser } from '@liminal/e2e/src/support/browser.ts';
import { claudeHome, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel, type StandInModel } from '@liminal/stand-ins/model-server';
import type { Bench, BenchResult, Mode } from '../bench.ts';
import { benchFolder } from '../host/start-host.ts';
import { processMemory } from '../processes/process-memory.ts';
import { startCloudCli } from './contenders/cloudcli.ts';
import type { Contender } from './contenders/contender.ts';
import { cloudCliFirstRun, type FirstRun, ourFirstRun } from './contenders/first-run.ts';
import { openRecord, scrollToTop, writeRecord } from './contenders/long-record.ts';
import { type Beginning, beginning, firstLoad, firstWords, longAnswer } from './contenders/measure.ts';
import { mishaps } from './contenders/mishaps.ts';
import { startOurProgram } from './contenders/ours.ts';
import { everydayRows, type Everyday } from './everyday-rows.ts';

const untilSpareIsReadyMs = 4_000;
/** The server returns memory to the system when it has been idle for a while. */
const untilIdleMs = 20_000;
const scrollPatienceMs = { quick: 10_000, full: 45_000 } as const;
const longAnswerWords = { quick: 2_000, full: 19_000 } as const;

type Home = ReturnType<typeof claudeHome>;

/** All measurements of one program, except first words and memory, which are measured in turns. */
async function alone(contender: Contender, model: StandInModel, home: Home, firstRun: FirstRun, mode: Mode) {
  const long = await longAnswer(contender, model, longAnswerWords[mode]);
  const browser = await launchBrowser({ hasMotion: true });
  const { page: newcomer } = await browser.visitor();
  const load = await firstLoad(newcomer, contender.url);
  await browser.close();
  const configDir = home.env['CLAUDE_CONFIG_DIR'] ?? '';
  for (const messages of [10_000, 2_000]) await contender.list(writeRecord(configDir, contender.folder, messages));
  const record = await openRecord(contender, 10_000);
  const shorter = await openRecord(contender, 2_000);
  const topMs = await scrollToTop(shorter.page, 2_000, scrollPatienceMs[mode]);
  for (const { page } of [record, shorter]) await page.context().close();
  const gone = await mishaps(contender, model, mode);
  return { long, load, record, topMs, gone, firstRun };
}

async function measure(mode: Mode, { peers }: { readonly peers: boolean }): Promise<BenchResult> {
  const model = await startStandInModel();
  // Separate homes, so no program finds the sessions of another.
  const homes = [claudeHome(model), claudeHome(model), claudeHome(model)] as const;
  const [folder, dataDir] = [projectFolder(), benchFolder()];
  const contenders = [{ program: await startOurProgram(folder.dir, dataDir, homes[0].env), home: homes[0] }];
  try {
    if (peers) contenders.push({ program: await startCloudCli(homes[1].env), home: homes[1] });
    await wait(untilSpareIsReadyMs);
    const resident = () => contenders.map(({ program }) => processMemory(program.pid()).rss);
    const memory = resident();
    const first = contenders.map((): number[] => []);
    for (const [index, { program }] of contenders.entries()) first[index]?.push(await firstWords(program));
    await wait(untilIdleMs);
    const withAgent = resident();
    const begun = contenders.map((): Beginning[] => []);
    for (let round = 0; round < (mode === 'quick' ? 3 : 7); round += 1)
      for (const [index, { program }] of contenders.entries()) {
        await wait(untilSpareIsReadyMs);
        first[index]?.push(await firstWords(program));
        await wait(untilSpareIsReadyMs);
        begun[index]?.push(await beginning(program));
      }
    const all: Everyday[] = [];
    for (const [index, { program, home }] of contenders.entries()) {
      const firstRun = await (index === 0 ? ourFirstRun(homes[2].env) : cloudCliFirstRun(homes[2].env));
      const found = await alone(program, model, home, firstRun, mode);
      all.push({
        ...found,
        memory: memory[index] ?? Number.NaN,
        withAgent: withAgent[index] ?? Number.NaN,
        first: first[index] ?? [],
        begun: begun[index] ?? [],
      });
    }
    const remarks = peers
      ? [
          'The baseline is CloudCLI. A dash means that it didn’t finish in time (20 s; 45 s for scrolling up, 10 s in a quick run).',
        ]
      : ['CloudCLI was not asked for; `--peers` measures it beside ours.'];
    return { rows: everydayRows(all, longAnswerWords[mode]), remarks };
  } finally {
    for (const { program } of contenders) await program.stop();
    await model.close();
    for (const home of homes) home.cleanup();
    folder.cleanup();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const everyday: Bench = {
  name: 'everyday',
  isLong: true,
  title: 'Everyday waiting times, with Claude Code in Chromium',
  measures:
    'The program and the real Claude Code with a scripted model, driven through the page as a user would. With `--peers`, CloudCLI (`@cloudcli-ai/cloudcli`, installed only by the benchmark) goes through the same steps in the same run. In every frame, the page itself checks for the expected result. *Sent* is what crossed all connections between the server and its pages, counted byte by byte. The long sessions are records as Claude Code keeps them, opened from the list. The first run begins with the start of a program that was never on this machine; CloudCLI’s ends at a page without a project.',
  run: measure,
};
