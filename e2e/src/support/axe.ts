import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds wrong with the page, or with one part of it, in a line each. */
export async function violations(page: Page, within = 'body'): Promise<string[]> {
  // Through the protocol rather than a script element, which the page's own policy rightly forbids.
  await page.evaluate(axe.source);
  return page.evaluate(async (selector) => {
    const { axe: tool } = globalThis as unknown as { axe: typeof axe };
    const found = await tool.run(selector, { resultTypes: ['violations'] });
    return found.violations.map(
      (violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`,
    );
  }, within);
}
