import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { claudeHome, codexHome, projectFolder, type AgentHome } from '@liminal/stand-ins/agent-homes';
import { startStandInModel } from '@liminal/stand-ins/model-server';
import { startedBefore } from '../agents/bare-claude.ts';
import { codexByHand } from '../agents/bare-codex.ts';
import type { Bench, Mode, Row } from '../bench.ts';
import { benchFolder } from '../host/start-host.ts';
import { median, noiseOf } from '../statistics/quantile.ts';
import { tryAgain } from '../try-again.ts';
import type { Contender } from './contenders/contender.ts';
import { startOurProgram } from './contenders/ours.ts';
import { clock, seenAt } from './contenders/seen.ts';

const prompt = '@words 20 50';
const log = '.pane-active [role=log]';
/** A user writes for longer than this before the first Enter. */
const writingMs = 3_500;
/** Cleanup after the previous run must not slow down the next. */
const restMs = 500;

type Agent = {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** The same without our server, from a process that was already started in the folder. */
  bare(): Promise<number>;
};

/** From Enter to the first visible words of a session whose agent started while its message was written. */
async function enterToWords(program: Contender, agent: string): Promise<number> {
  const page = await program.newSession(agent);
  await program.write(page, prompt);
  await wait(writingMs);
  const began = clock();
  await page.keyboard.press('Enter');
  const took = (await seenAt(page, log, /w1/)) - began;
  await seenAt(page, log, /w20/);
  return took;
}

async function measureAgent({ name, env, bare }: Agent, folder: string, rounds: number): Promise<Row> {
  const dataDir = benchFolder();
  const program = await startOurProgram(folder, dataDir, env);
  const [ours, byHand]: [number[], number[]] = [[], []];
  try {
    // In a fresh home the first start creates the agent's files.
    await enterToWords(program, name);
    for (let round = 0; round < rounds; round += 1) {
      await wait(restMs);
      ours.push(await enterToWords(program, name));
      await wait(restMs);
      byHand.push(await bare());
    }
  } finally {
    await program.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
  const [value, baseline] = [median(ours), median(byHand)];
  return {
    measure: `${name}: Enter to the first words in a new session`,
    value,
    unit: 'ms',
    noise: noiseOf(ours),
    baseline,
    ratio: value / baseline,
    budget: 'first words in the page',
  };
}

async function measure(mode: Mode): Promise<{ rows: Row[] }> {
  const model = await startStandInModel();
  const homes: readonly AgentHome[] = [claudeHome(model), codexHome(model, { mode: 'workspace-write' })];
  const [claude, codex] = homes as [AgentHome, AgentHome];
  const folder = projectFolder();
  const agents: readonly Agent[] = [
    { name: 'Claude Code', env: claude.env, bare: () => startedBefore({ env: claude.env, dir: folder.dir }, prompt) },
    {
      name: 'Codex',
      env: { ...codex.env, LIMINAL_CODEX: 'native' },
      bare: async () => (await codexByHand(codex.env, folder.dir, prompt)).first,
    },
  ];
  const rows: Row[] = [];
  try {
    for (const agent of agents) rows.push(await measureAgent(agent, folder.dir, mode === 'quick' ? 3 : 8));
    return { rows };
  } finally {
    await model.close();
    for (const home of homes) home.cleanup();
    folder.cleanup();
  }
}

export const firstWords: Bench = {
  name: 'first-words',
  title: 'Enter to the first words of a new session, in Chromium',
  measures:
    'A new session in the page: its message is typed for some seconds, then Enter, until a frame shows the agent’s first words. The model answers at once. The baseline, alternating with ours, is the bare agent, already started in the folder: `startup()` and a query, or an open thread of `codex app-server` and its first turn. A miss is measured again (at most twice, never in a quick run) and listed below the table.',
  async run(mode) {
    const { found, earlier } = await tryAgain(mode, () => measure(mode));
    return { ...found, remarks: earlier };
  },
};
