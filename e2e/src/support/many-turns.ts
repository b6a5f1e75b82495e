import { message } from '@liminal/domain/timeline/testing/messages';
import type { Page } from 'playwright-core';
import { endedTurn, inOrder } from './samples.ts';

export const log = (page: Page) => page.getByRole('log');

export const paragraphs = (count: number): string =>
  Array.from({ length: count }, (_, index) => `Paragraph ${index} of an answer.`).join('\n\n');
/** A session with many turns, each a question and an answer of another length. */
export const manyTurns = (count: number, from = 0) => ({
  turns: Array.from({ length: count }, (_, index) => endedTurn(`t${from + index}`)),
  entries: Array.from({ length: count }, (_, index) => {
    const turnId = `t${from + index}`;
    const own = message(`${turnId}:0:0`, { origin: 'user', content: `question ${from + index}` });
    const answer = message(`${turnId}:1:0`, { content: `Answer ${from + index}\n\n${paragraphs((index * 7) % 13)}` });
    return inOrder(turnId, [own, answer], (from + index) * 2);
  }).flat(),
});
/** The list's distance from its end. */
export const endGap = (page: Page) =>
  log(page).evaluate((list) => Math.round(list.scrollHeight - list.clientHeight - list.scrollTop));
