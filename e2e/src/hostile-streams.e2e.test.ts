import type { UpsertObject } from '@liminal/contracts';
import { message, thinking, toolCall } from '@liminal/domain/timeline/testing/messages';
import { type Program, type Ready, startProgram } from '@liminal/stand-ins/testing/start-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type TestBrowser } from './support/browser.ts';
import { cutPoints, families, sample } from './support/hostile/corpus.ts';
import { expectHarmless, log, patience, showItems, expandAll } from './support/hostile/hostile-page.ts';
import { runningTurn } from './support/samples.ts';

let program: Program;
let browser: TestBrowser;
let ready: Ready;
beforeAll(async () => {
  program = startProgram();
  browser = await launchBrowser();
  ready = await program.ready;
});
afterAll(async () => {
  await browser.close();
  await program.stop();
});

/** `npm run torture` uses the whole corpus, `npm test` every eighth payload of each family. */
const isTorture = process.env['LIMINAL_TORTURE'] === '1';
const seed = Number(process.env['LIMINAL_SEED'] ?? Date.now() % 1_000_000);
const payloads = sample(isTorture ? 1 : 8, seed);
const batchSize = 20;
const cuts = 5;
/** How many payloads were on the page, in every place, and found harmless. */
let harmless = 0;
/** Tall enough to draw every row: rows outside the window aren't drawn. */
const tall = { width: 1280, height: 16_000 };
const batches = Array.from({ length: Math.ceil(payloads.length / batchSize) }, (_, index) =>
  payloads.slice(index * batchSize, (index + 1) * batchSize),
);

/** One hostile text in every place where an agent or a repository may put it. */
function placed(index: number, text: string, isWhole: boolean): UpsertObject[] {
  const status = isWhole ? ('complete' as const) : ('update' as const);
  const at = (place: number) => ({ turnId: 't1', order: index * 4 + place, status });
  return [
    { ...message(`m${index}`, { content: text }), ...at(0) },
    { ...thinking(`h${index}`, { content: text }), ...at(1) },
    {
      ...toolCall(`x${index}`, {
        toolKind: 'execute',
        toolName: text,
        title: text,
        toolArguments: { command: text, [text]: text },
        toolOutput: text,
      }),
      ...at(2),
    },
    {
      ...toolCall(`e${index}`, {
        toolKind: 'edit',
        toolName: 'Edit',
        title: text,
        diffs: [{ path: text, oldText: text, newText: `${text}!` }],
      }),
      ...at(3),
    },
  ];
}

it('has a corpus of at least 300 different payloads', () => {
  const all = Object.values(families).flat();
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(300);
});

describe(`hostile streams (seed ${seed})`, () => {
  it.each(batches.map((batch, index) => [index + 1, batch] as const))(
    `cut at ${cuts} points, in every place: batch %i of ${batches.length}`,
    async (_number, batch) => {
      const first = message('mark', { content: 'nothing is told yet' });
      const shown = await showItems(browser, ready, [{ ...first, order: 9_999 }], { turns: [runningTurn('t1')] }, tall);
      const { page, server } = shown;
      const points = batch.map((payload) => cutPoints(payload, cuts, seed));
      for (let stage = 0; stage <= cuts; stage += 1) {
        for (const [index, payload] of batch.entries()) {
          const end = points[index]?.[stage] ?? payload.length;
          for (const item of placed(index, payload.slice(0, end), stage === cuts)) server.upsert(item);
        }
        const mark = `stage ${stage} is told`;
        server.upsert({ ...message('mark', { content: mark }), turnId: 't1', order: 9_999 });
        await log(page).getByText(mark).waitFor();
        await expandAll(page);
        await expectHarmless(shown, `stage ${stage} of ${JSON.stringify(batch)}`);
        harmless += batch.length;
      }
      await expect.poll(() => log(page).locator('.row-text').count(), patience).toBe(batch.length + 1);
      await page.context().close();
    },
  );

  it('checked every payload after every cut and as a whole', () => {
    const places = placed(0, '', true).length;
    const shown = payloads.length * (cuts + 1);
    console.info(
      `figure | Hostile text | payloads × places × cuts, including uncut | ${payloads.length} × ${places} × ${cuts + 1}, ${harmless} of ${shown} harmless`,
    );
    expect(harmless).toBe(shown);
  });
});
