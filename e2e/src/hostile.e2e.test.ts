import { type Program, type Ready, startProgram } from '@liminal/stand-ins/testing/start-program';
import { message, plan, thinking, toolCall } from '@liminal/domain/timeline/testing/messages';
import type { UpsertObject } from '@liminal/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type Look, type TestBrowser } from './support/browser.ts';
import { hostilePayloads } from './support/hostile-payloads.ts';
import { characterFamilies } from './support/hostile/character-families.ts';
import { expectHarmless, collapsed, log, showItems, expandAll } from './support/hostile/hostile-page.ts';
import { request } from './support/samples.ts';
import { startDemo } from './support/start-demo.ts';

let program: Program;
let browser: TestBrowser;
let ready: Ready;
beforeAll(async () => {
  program = startProgram({ env: { LIMINAL_DEMO_SPEED: '50' } });
  browser = await launchBrowser();
  ready = await program.ready;
});
afterAll(async () => {
  await browser.close();
  await program.stop();
});

const batchSize = 32;
const show = (items: readonly UpsertObject[], more?: object, look?: Look) =>
  showItems(browser, ready, items, more, look);

it('has a large enough corpus', () => {
  expect(new Set(hostilePayloads).size).toBeGreaterThanOrEqual(120);
});

describe('hostile text', () => {
  const batches = Array.from(
    { length: Math.ceil(hostilePayloads.length / batchSize) },
    (_, index) => index * batchSize,
  );
  it.each(batches)(
    'from the agent, as Markdown, finished and growing, runs nothing and loads nothing: from %i',
    async (from) => {
      const payloads = hostilePayloads.slice(from, from + batchSize);
      const shown = await show(payloads.map((content, index) => message(`t1:${index + 1}:0`, { content })));
      const { page, server } = shown;
      const rows = log(page).locator('.row-text');
      await expect.poll(() => rows.count()).toBe(payloads.length);
      await expectHarmless(shown);
      for (const [index, content] of payloads.entries()) {
        const half = content.slice(0, Math.ceil(content.length / 2));
        server.upsert({ ...message(`grown:${index}:0`, { content: half, status: 'update' }), order: 1000 + index });
        server.upsert({ ...message(`grown:${index}:0`, { content, status: 'complete' }), order: 1000 + index });
      }
      await expect.poll(() => rows.count()).toBe(payloads.length * 2);
      await expectHarmless(shown);
      await page.context().close();
    },
  );

  it('from the user, the system, thinking and plans is harmless', async () => {
    const all = hostilePayloads.join('\n\n');
    const shown = await show([
      message('t1:0:0', { origin: 'user', content: all }),
      message('t1:n1:0', { origin: 'system', content: all }),
      thinking('t1:1:0', { content: all }),
      plan('t1:2:0', { entries: hostilePayloads.map((content) => ({ content, status: 'pending' as const })) }),
    ]);
    await expandAll(shown.page);
    await expectHarmless(shown);
  });

  it('in tool output, arguments, titles, file names and changes is harmless', async () => {
    const all = hostilePayloads.join('\n');
    const values = Object.fromEntries(hostilePayloads.map((payload) => [payload, payload]));
    const diffs = hostilePayloads.map((payload) => ({ path: payload, oldText: payload, newText: `${payload}!` }));
    const urls = hostilePayloads.filter((payload) => payload.length < 60);
    const shown = await show([
      toolCall('t1:1:0', {
        toolKind: 'execute',
        toolName: all,
        title: all,
        toolArguments: { command: all },
        toolOutput: all,
      }),
      toolCall('t1:2:0', { toolKind: 'other', toolName: hostilePayloads[0]!, toolArguments: values, toolOutput: all }),
      toolCall('t1:3:0', { toolKind: 'edit', toolName: 'Edit', title: all, diffs }),
      toolCall('t1:4:0', {
        toolKind: 'think',
        toolName: 'Task',
        toolArguments: { prompt: all, description: all },
        toolOutput: all,
      }),
      ...urls.map((url, index) => toolCall(`t1:f${index}:0`, { toolKind: 'fetch', toolArguments: { url } })),
    ]);
    await expandAll(shown.page);
    await expectHarmless(shown);
  });

  it('in a permission request is shown and never executed', async () => {
    const shown = await show([message('t1:1:0')], {}, {});
    const { page, server } = shown;
    const payloads = [...hostilePayloads, ...characterFamilies.turning, ...characterFamilies.terminal];
    const all = payloads.join('\n\n');
    const card = page.locator('.permission');
    const asks = [
      request('a', {
        title: hostilePayloads[0]!,
        description: all,
        toolArguments: { command: all, [hostilePayloads[4]!]: all },
      }),
      request('b', { kind: 'plan', toolArguments: { plan: all } }),
      request('c', {
        diffs: payloads.map((payload) => ({ path: payload, oldText: payload, newText: `${payload}.` })),
      }),
      request('d', {
        kind: 'question',
        questions: [
          {
            id: 'q',
            header: hostilePayloads[1]!,
            question: all,
            multiSelect: true,
            freeText: true,
            options: payloads.map((label) => ({ label, description: label })),
          },
        ],
      }),
      request('e', {
        kind: 'form',
        schema: {
          properties: Object.fromEntries(
            payloads.map((payload) => [payload, { title: payload, description: payload }]),
          ),
        },
      }),
      request('f', {
        options: payloads.slice(-60).map((name, index) => ({
          optionId: `o${index}`,
          name,
          kind: index === 0 ? ('reject_once' as const) : ('allow_once' as const),
          description: name,
        })),
      }),
    ];
    for (const ask of asks) {
      server.ask(ask);
      await card.waitFor();
      await expectHarmless(shown);
      server.say({
        type: 'session:permission',
        payload: { state: 'ended', request: ask, reason: hostilePayloads[5]! },
      });
      await card.waitFor({ state: 'hidden' });
    }
    await expectHarmless(shown);
  });

  it('from the user, echoed by an agent, stays text through the whole program', async () => {
    const visitor = await browser.visitor();
    const { page, foreignRequests } = visitor;
    await startDemo(page, ready);
    const field = page.locator('#composer-input');
    for (const payload of [
      '<img src=x onerror=globalThis.pwned=1>',
      '[x](javascript:globalThis.pwned=1)',
      '![x](https://evil.example/p.png)',
    ]) {
      await field.fill(payload);
      await field.press('Enter');
      await page.getByRole('button', { name: /Stop/ }).waitFor({ state: 'hidden' });
      await expect.poll(() => log(page).locator('.user-text').last().innerText()).toContain(payload);
    }
    expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false);
    expect(foreignRequests).toEqual([]);
  });
});

describe('control characters', () => {
  const turned = 'a\u202egnirts\u202c b\u2066c\u2069 \u0007\u0008\u001b[2Jend';
  it('are shown and have no effect, wherever they are', async () => {
    const { page, server, faults } = await show([
      message('t1:0:0', { origin: 'user', content: turned }),
      message('t1:1:0', { content: turned }),
      toolCall('t1:2:0', { toolKind: 'execute', toolArguments: { command: turned }, toolOutput: turned }),
      toolCall('t1:3:0', { toolKind: 'edit', diffs: [{ path: `/x/${turned}`, oldText: null, newText: turned }] }),
    ]);
    await expandAll(page);
    server.ask(request('r', { title: turned, toolArguments: { command: turned } }));
    await page.locator('.permission').waitFor();
    const text = await page.locator('.session').innerText();
    for (const acting of '\u202e\u202c\u2066\u2069\u0007\u0008\u001b') expect(text).not.toContain(acting);
    expect(text.split('⟨U+202E⟩').length).toBeGreaterThan(7);
    expect(faults).toEqual([]);
  });

  it('in other scripts and emoji stay unchanged', async () => {
    const words = 'שלום עולם 👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 नमस्ते e\u0301 z\u0351\u036b';
    const { page } = await show([message('t1:1:0', { content: words })]);
    await expect.poll(() => log(page).innerText()).toContain(words);
    expect(
      await log(page)
        .locator('.markdown p')
        .first()
        .evaluate((block) => getComputedStyle(block).direction),
    ).toBe('rtl');
  });
});

describe('text of any size and depth', () => {
  const million = 1_000_000;
  const cases: Record<string, string> = {
    'a word of a million characters': 'x'.repeat(million),
    'five megabytes on one line': 'y '.repeat(2.5 * million),
    'code of five megabytes': `\`\`\`ts\n${'z'.repeat(5 * million)}\n\`\`\``,
    'ten thousand quotes within each other': `${'>'.repeat(10_000)} deep`,
    'lists five hundred deep': Array.from({ length: 500 }, (_, depth) => `${'  '.repeat(depth)}- item`).join('\n'),
    'brackets without end': '['.repeat(50_000),
    'emphasis without end': '*a '.repeat(15_000),
    'tags without end': '<div>'.repeat(10_000),
    'a table of two thousand columns': `|${'a|'.repeat(2000)}\n|${'-|'.repeat(2000)}\n|${'b|'.repeat(2000)}`,
    'ten thousand links': '[a](https://example.org) '.repeat(10_000),
    'accents without end': `e${'\u0301'.repeat(20_000)}`,
  };
  it.each(Object.entries(cases))('is shown, and the page keeps working: %s', async (_name, content) => {
    const { page, faults } = await show([message('t1:1:0', { content })], {}, {});
    await log(page).locator('.markdown').first().waitFor();
    await page.locator('#composer-input').fill('still here');
    expect(await page.locator('#composer-input').inputValue()).toBe('still here');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('is shown as the output of a command', async () => {
    const call = toolCall('t1:1:0', {
      toolKind: 'execute',
      toolArguments: { command: 'x'.repeat(million) },
      toolOutput: 'y'.repeat(5 * million),
    });
    const { page, faults } = await show([call], {}, {});
    await collapsed(page).first().click();
    await log(page)
      .getByRole('button', { name: /^Show more \(5M characters before this\)/ })
      .click();
    await page.locator('#composer-input').fill('still here');
    expect(faults).toEqual([]);
  });
});
