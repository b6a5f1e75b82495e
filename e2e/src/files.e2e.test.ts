import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { setStage } from './support/stage.ts';
import { startDemo } from './support/start-demo.ts';

const stage = setStage();
const patience = { timeout: 60_000 };

describe('the files of a session', () => {
  it('FL-1 FL-2 FL-3: are found, edited and saved by keyboard; a file that changed meanwhile is never overwritten', async () => {
    const { page, faults } = await stage.browser.visitor();
    await startDemo(page, stage.ready);
    await page.keyboard.press('Alt+KeyE');
    const readme = page.getByRole('treeitem', { name: 'README.md' });
    await readme.focus();
    await page.keyboard.press('Enter');
    const editor = page.locator('.cm-content');
    await editor.waitFor();
    await editor.press('Control+Home');
    await page.keyboard.type('First line of mine\n');
    await page.getByText('Unsaved', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Control+KeyS');
    const file = join(stage.dataDir, 'demo-project', 'README.md');
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('First line of mine\n');

    await page.keyboard.type('Second line of mine\n');
    // Unsaved edits appear in another browser, too.
    const other = await stage.browser.visitor({ width: 390, height: 760, scheme: 'dark' });
    await other.page.goto(stage.ready.url);
    await expect
      .poll(async () => {
        await other.page.reload();
        const text = other.page.locator('.cm-content');
        // The first browser may not have saved yet that it shows this file.
        await text.waitFor({ timeout: 8_000 }).catch(() => {});
        return (await text.count()) === 0 ? '' : text.innerText();
      }, patience)
      .toContain('Second line of mine');
    await other.page.getByText('Unsaved', { exact: true }).waitFor();
    expect(await violations(other.page)).toEqual([]);
    await other.page.close();
    writeFileSync(file, 'Written by somebody else\n');
    await page.keyboard.press('Control+KeyS');
    await page.getByText('This file changed on disk while you were editing it.').waitFor();
    expect(readFileSync(file, 'utf8')).toBe('Written by somebody else\n');
    await page.getByRole('button', { name: 'Save mine' }).click();
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('Second line of mine\n');

    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByLabel('Search in files').fill('second LINE');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /README\.md:\d+/ }).waitFor();
    await page.getByRole('button', { name: 'Back to conversation' }).click();
    await page.locator('#composer-input').waitFor();
    expect(faults.filter((fault) => !fault.includes('412'))).toEqual([]);
  });
});
