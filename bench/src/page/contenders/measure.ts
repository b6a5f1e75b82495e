import type { StandInModel } from '@liminal/stand-ins/model-server';
import type { Page } from 'playwright-core';
import { watchMainThread } from '../main-thread.ts';
import { watchFrames } from '../watch-frames.ts';
import type { Contender } from './contender.ts';
import { clock, seenAt } from './seen.ts';

/** From Enter to the first visible words of an answer of 300 words at 50 per second, in a new session. */
export async function firstWords(contender: Contender): Promise<number> {
  const page = await contender.newSession();
  await contender.write(page, '@words 300 50');
  const began = clock();
  await page.keyboard.press('Enter');
  const took = (await seenAt(page, 'body', /w1 /)) - began;
  await seenAt(page, 'body', /w300/);
  return took;
}

export type Beginning = { readonly clicks: number; readonly firstWordsMs: number };

/** From the ready first page to the first visible words in a new session. */
export async function beginning(contender: Contender): Promise<Beginning> {
  const { page, shownAt, clicks } = await contender.begin('@words 300 50');
  await page.keyboard.press('Enter');
  const firstWordsMs = (await seenAt(page, 'body', /w1 /)) - shownAt;
  await seenAt(page, 'body', /w300/);
  await page.context().close();
  return { clicks, firstWordsMs };
}

export type LongAnswer = {
  readonly lateMs: number;
  readonly share: number;
  readonly longestTask: number;
  readonly sentPerByte: number;
};

/** An answer of this many words at 400 per second. */
export async function longAnswer(contender: Contender, model: StandInModel, words: number): Promise<LongAnswer> {
  const page = await contender.newSession();
  await contender.write(page, `@words ${words} 400`);
  const protocol = await page.context().newCDPSession(page);
  const span = await watchMainThread(protocol);
  const frames = await watchFrames(page);
  const sent = contender.bytesSent();
  await page.keyboard.press('Enter');
  const shown = await seenAt(page, 'body', new RegExp(`w${words}`));
  const { busy, wall } = await span();
  const { longestTask } = await frames();
  const asked = model.requests.findLast(({ body }) => JSON.stringify(body).includes(`@words ${words} 400`));
  const ended = (asked?.at ?? Number.NaN) + (words * 1000) / 400;
  const textBytes = Array.from({ length: words }, (_, index) => `w${index + 1} `).join('').length;
  return {
    lateMs: shown - ended,
    share: busy / wall,
    longestTask,
    sentPerByte: (contender.bytesSent() - sent) / textBytes,
  };
}

export type FirstLoad = { readonly scriptMb: number; readonly sentKb: number; readonly foreign: number };

/** What a new browser receives before the network is quiet. */
export async function firstLoad(page: Page, url: string): Promise<FirstLoad> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Network.enable');
  const scripts = new Set<string>();
  let [script, sent, foreign] = [0, 0, 0];
  protocol.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId));
  protocol.on('Network.requestWillBeSent', ({ request }) => {
    const { protocol: scheme, hostname } = new URL(request.url);
    if (scheme.startsWith('http') && hostname !== '127.0.0.1' && hostname !== 'localhost') foreign += 1;
  });
  protocol.on('Network.dataReceived', ({ requestId, dataLength }) => {
    if (scripts.has(requestId)) script += dataLength;
  });
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => (sent += encodedDataLength));
  await page.goto(url, { waitUntil: 'networkidle' });
  return { scriptMb: script / 1e6, sentKb: sent / 1000, foreign };
}
