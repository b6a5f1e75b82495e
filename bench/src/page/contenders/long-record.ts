import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { paintedAfterClick } from '../painted.ts';
import type { Contender } from './contender.ts';
import { clock } from './seen.ts';

/** Part of every message; the test looks for the last one and the first one. */
const words = (index: number, messages: number): string =>
  `${index % 2 === 0 ? 'Question' : 'Answer'} ${index} of ${messages}: some words as they stand in a long record.`;

/** Writes a session of this many messages in Claude Code's own format; returns its id. */
export function writeRecord(configDir: string, folder: string, messages: number): string {
  const sessionId = randomUUID();
  let parentUuid: string | null = null;
  const rows = Array.from({ length: messages }, (_, index) => {
    const uuid = randomUUID();
    const isPerson = index % 2 === 0;
    const text = words(index, messages);
    const row = {
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd: folder,
      sessionId,
      version: '2.1.0',
      type: isPerson ? 'user' : 'assistant',
      message: isPerson
        ? { role: 'user', content: text }
        : {
            id: `msg_${index}`,
            type: 'message',
            role: 'assistant',
            model: 'scripted',
            content: [{ type: 'text', text }],
            stop_reason: 'end_turn',
            usage: { input_tokens: 1, output_tokens: 1 },
          },
      uuid,
      timestamp: new Date(Date.now() - (messages - index) * 1000).toISOString(),
    };
    parentUuid = uuid;
    return JSON.stringify(row);
  });
  // Not part of the conversation: programs take a title from it.
  rows.push(JSON.stringify({ type: 'last-prompt', lastPrompt: words(0, messages), sessionId }));
  const records = join(configDir, 'projects', folder.replace(/[^a-zA-Z0-9]/g, '-'));
  mkdirSync(records, { recursive: true });
  writeFileSync(join(records, `${sessionId}.jsonl`), `${rows.join('\n')}\n`);
  return sessionId;
}

export type OpenRecord = { readonly page: Page; readonly openMs: number; readonly heapMb: number };

/** Opens the session from the list of a fresh browser: from the click to the frame that shows its last message. */
export async function openRecord(contender: Contender, messages: number): Promise<OpenRecord> {
  const page = await contender.visit();
  // Programs derive their titles from the first message or the last one.
  const row = page.getByText(new RegExp(`^(Question|Answer) \\d+ of ${messages}:`)).first();
  await row.evaluate((element) => element.setAttribute('data-bench', 'record'));
  const wanted = words(messages - 1, messages).slice(0, 24);
  const click = '[data-bench=record]';
  const openMs = await paintedAfterClick(page, { click, within: contender.signs.log, words: wanted });
  return { page, openMs, heapMb: await heapOf(page) };
}

async function heapOf(page: Page): Promise<number> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('HeapProfiler.collectGarbage');
  const { usedSize } = await protocol.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

/** Scrolls up with the wheel until the first message is visible; NaN if that takes too long. */
export async function scrollToTop(page: Page, messages: number, patienceMs: number): Promise<number> {
  const began = clock();
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.mouse.move(width * 0.6, height / 2);
  const wanted = words(0, messages).slice(0, 20);
  while (clock() - began < patienceMs) {
    await page.mouse.wheel(0, -50_000);
    const isSeen = await page.evaluate(async (text) => {
      await new Promise(requestAnimationFrame);
      // The list on the side may use it as a title.
      return [...document.querySelectorAll('p, .user-text, .chat-message')].some((part) => {
        const { top, bottom, left } = part.getBoundingClientRect();
        return part.textContent.includes(text) && bottom > 0 && top < innerHeight && left > 300;
      });
    }, wanted);
    if (isSeen) return clock() - began;
  }
  return Number.NaN;
}
