import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds wrong with the page, or with one part of it, one line each. */
export async function violations(page: Page, within = 'body'): Promise<string[]> {
  // Injected through the protocol, because the page's policy forbids a script element. Once: it is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (selector) => {
    const { axe: tool } = globalThis as unknown as { axe: typeof axe };
    const found = await tool.run(selector, { resultTypes: ['violations'] });
    return found.violations.map(
      (violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`,
    );
  }, within);
}
