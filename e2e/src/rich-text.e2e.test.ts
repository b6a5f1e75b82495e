import { message } from '@liminal/domain/timeline/testing/messages';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { endedTurn, inOrder, runningTurn } from './support/samples.ts';
import { scriptServer, type ScriptedServer } from './support/scripted-server.ts';
import { setStage } from './support/stage.ts';
import { richText } from './support/rich-sample.ts';

const stage = setStage();

/** A page that shows one answer, and its requests to the server beyond the page itself. */
async function show(content: string, status: 'complete' | 'update' = 'complete') {
  const visitor = await stage.browser.visitor({ width: 1100, height: 2400 });
  const violations: string[] = [];
  await visitor.page.exposeFunction('violated', (what: string) => violations.push(what));
  await visitor.page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) =>
      (globalThis as unknown as { violated(what: string): void }).violated(event.violatedDirective),
    ),
  );
  const turns = [status === 'complete' ? endedTurn('t1') : runningTurn('t1')];
  const server = await scriptServer(visitor.page, stage.ready, {
    entries: inOrder('t1', [message('t1:1:0', { content, status })]),
    turns,
  });
  return { ...visitor, server, violations, log: visitor.page.getByRole('log') };
}

const chunks = (page: Page) => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
const grow = (server: ScriptedServer, content: string, status: 'complete' | 'update') =>
  server.upsert({ ...message('t1:1:0', { content, status }), turnId: 't1', order: 0 });

it('draws diagrams and formulas, shows their source on request, and respects the content security policy', async () => {
  const { page, log, faults, violations, foreignRequests } = await show(richText);
  const picture = log.locator('img.diagram-picture');
  await picture.waitFor();
  await expect
    .poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 100))
    .toBe(true);
  await expect.poll(() => log.locator('.formula .katex').count()).toBe(3);
  const diagram = log.locator('figure.diagram');
  await diagram.getByRole('button', { name: 'Show source' }).click();
  await log.getByText('graph LR').waitFor();
  await log.getByRole('button', { name: 'Show diagram' }).click();
  await picture.waitFor();
  await log.locator('.formula-block').getByRole('button', { name: 'Show source' }).click();
  await log.getByText('\\int_0^1 x^2').first().waitFor();
  await log.getByRole('button', { name: 'Footnote 1' }).click();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Measured on');
  expect(await page.locator('.diagram-stage').count()).toBe(0);
  expect([faults, violations, foreignRequests]).toEqual([[], [], []]);
});

it('shows the source of something that can’t be drawn, and why', async () => {
  const { log, faults } = await show(
    '```mermaid\ngraph TD; A--\n```\n\n$$\\frac{1}$$\n\n```mermaid\nflowchart LR\nA@{ img: "/x.png" }\n```',
  );
  await expect.poll(() => log.locator('.code-block-note').count()).toBe(3);
  await log.getByText("Can't draw this formula").waitFor();
  await log.getByText('graph TD; A--').waitFor();
  expect(await log.locator('img').count()).toBe(0);
  expect(faults).toEqual([]);
});

it('loads the libraries only when something to draw is finished, and draws it once', async () => {
  const { page, server, log } = await show('Words first.', 'update');
  await log.getByText('Words first.').waitFor();
  const text = 'See $x^2$.\n\n```mermaid\ngraph LR\nA-->B\n';
  grow(server, text, 'update');
  await log.getByText('graph LR').waitFor();
  expect((await chunks(page)).filter((name) => name.includes('draw-diagram'))).toEqual([]);
  grow(server, `${text}\`\`\`\n\nDone.`, 'complete');
  await log.locator('img.diagram-picture').waitFor();
  await log.locator('.formula .katex').waitFor();
  expect((await chunks(page)).some((name) => name.includes('draw-formula'))).toBe(true);
});

it('G-6: shows an image of the project only when the user asks for it', async () => {
  const { page, server, log, foreignRequests } = await show('![The plan](docs/plan%20b.png) and ![x](missing.png)');
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const asked: string[] = [];
  await page.route('**/api/session/*/image?*', async (route) => {
    const path = new URL(route.request().url()).searchParams.get('path') ?? '';
    asked.push(path);
    await (path === 'missing.png'
      ? route.fulfill({ status: 404, json: { error: { code: 'FILE_NOT_FOUND', message: 'No file "missing.png".' } } })
      : route.fulfill({ contentType: 'image/png', body: Buffer.from(png, 'base64') }));
  });
  const button = log.getByRole('button', { name: 'Show image: The plan' });
  await button.waitFor();
  expect(asked).toEqual([]);
  await button.click();
  await expect.poll(() => log.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1);
  await log.getByRole('button', { name: 'Show image: x' }).click();
  await log.getByText('No file "missing.png".').waitFor();
  expect(asked).toEqual(['docs/plan b.png', 'missing.png']);
  await log.getByRole('button', { name: 'Hide The plan' }).click();
  expect(await log.locator('img').count()).toBe(0);
  expect(foreignRequests).toEqual([]);
  expect(server.posted.filter(({ path }) => path.includes('image'))).toEqual([]);
});

it('keeps short cells on one line, fades a wide table at its edge, and wraps long code on request', async () => {
  const { page, log } = await show(richText);
  await page.setViewportSize({ width: 320, height: 2400 });
  const cell = log.getByRole('cell', { name: '12 ms' });
  const lines = (await cell.boundingBox())!.height;
  expect(lines).toBe((await log.getByRole('cell', { name: 'cold start' }).boundingBox())!.height);
  const table = log.locator('.markdown-table');
  await expect.poll(() => table.getAttribute('data-fade')).toBe('end');
  await table.evaluate((element) => element.scrollTo(element.scrollWidth, 0));
  await expect.poll(() => table.getAttribute('data-fade')).toBe('start');
  const code = log.locator('pre').filter({ hasText: 'const everything' });
  const widthOf = () => code.evaluate((pre) => pre.scrollWidth - pre.clientWidth);
  expect(await widthOf()).toBeGreaterThan(100);
  await log.getByRole('button', { name: 'Wrap lines' }).click();
  expect(await widthOf()).toBe(0);
});
