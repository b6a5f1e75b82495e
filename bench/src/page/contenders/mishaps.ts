import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { StandInModel } from '@liminal/stand-ins/model-server';
import type { Page } from 'playwright-core';
import type { Mode } from '../../bench.ts';
import { agentsBelow } from './agents-below.ts';
import type { Contender } from './contender.ts';
import { clock, seenAt } from './seen.ts';

/** Milliseconds; NaN if a page didn't do it within the time limit. */
export type Mishaps = {
  readonly reloaded: number;
  readonly ownMessages: number;
  readonly agentDied: number;
  readonly stillSaid: number;
  readonly askedAgain: number;
  /** Only in a full run. */
  readonly stillAsked?: number;
  readonly slipped: number;
  readonly serverLost: number;
  readonly recovered: number;
};

const spareMs = 4_000;
const patienceMs = 20_000;
/** The longest time a peer waits for an answer, and some more. */
const longWaitMs = 60_000;

/** Failures in the middle of an answer, the same for each program. */
export async function mishaps(contender: Contender, model: StandInModel, mode: Mode): Promise<Mishaps> {
  const { signs } = contender;
  const asked = (page: Page, patience = patienceMs) => seenAt(page, signs.asks.within, signs.asks.words, patience);
  const say = async (page: Page, message: string): Promise<void> => {
    const before = model.requests.length;
    await contender.write(page, message);
    await page.keyboard.press('Enter');
    while (model.requests.length === before) await wait(20);
  };
  /** A session three seconds into an answer of this many words, whether or not the page shows them. */
  const midAnswer = async (words: number): Promise<Page> => {
    await wait(spareMs);
    const page = await contender.newSession();
    await say(page, `@words ${words} 100`);
    await wait(3_000);
    return page;
  };

  let page = await midAnswer(1_200);
  await page.reload({ waitUntil: 'commit' });
  let began = clock();
  const reloaded = (await seenAt(page, signs.log, /\bw50\b/, patienceMs)) - began;
  const ownMessages = await page.locator(`${signs.log} ${signs.own}`, { hasText: '@words 1200 100' }).count();

  page = await midAnswer(4_000);
  const agent = contender.agent();
  if (!agentsBelow(contender.pid()).includes(agent)) throw new Error(`${contender.name} has no agent ${agent}.`);
  began = clock();
  process.kill(agent, 'SIGKILL');
  const agentDied = (await seenAt(page, 'body', signs.agentDied, patienceMs)) - began;
  await page.reload();
  const stillSaid = Number.isNaN(await seenAt(page, 'body', signs.agentDied, 5_000)) ? 0 : 1;

  await wait(spareMs);
  page = await contender.newSession();
  await say(page, '@bash touch never-made');
  await asked(page);
  await page.reload({ waitUntil: 'commit' });
  began = clock();
  const askedAgain = (await asked(page)) - began;
  if (mode === 'full') await wait(longWaitMs);
  const stillAsked = Number.isNaN(await asked(page, 1_000)) ? 0 : 1;

  await wait(spareMs);
  page = await contender.newSession();
  await say(page, '@bash node -e 1\n@words 3');
  await asked(page);
  await page.getByRole('button', { name: signs.remember }).first().click();
  await seenAt(page, signs.log, /w1 w2 w3/, patienceMs);
  await say(page, '@bash node -e 1; touch slipped');
  const slippedFile = join(contender.folder, 'slipped');
  const until = clock() + patienceMs;
  while (!existsSync(slippedFile) && Number.isNaN(await asked(page, 200)) && clock() < until);
  const slipped = existsSync(slippedFile) ? 1 : 0;

  page = await midAnswer(4_000);
  began = clock();
  await contender.killServer();
  const serverLost = (await seenAt(page, 'body', signs.serverLost, patienceMs)) - began;
  began = clock();
  await contender.restart();
  await page.waitForFunction((lost) => !new RegExp(lost).test(document.body.textContent), signs.serverLost.source, {
    polling: 'raf',
  });
  const recovered = (await seenAt(page, signs.log, /\bw60\b/, patienceMs)) - began;
  return {
    reloaded,
    ownMessages,
    agentDied,
    stillSaid,
    askedAgain,
    ...(mode === 'full' && { stillAsked }),
    slipped,
    serverLost,
    recovered,
  };
}
