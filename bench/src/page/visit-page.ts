import { launchBrowser, type TestBrowser } from '@liminal/e2e/src/support/browser.ts';
import type { Page } from 'playwright-core';
import type { Address } from '../jobs/fill-job.ts';
import { watchMainThread, type Span } from './main-thread.ts';

export type Held = { readonly heapMb: number; readonly nodes: number };

export type Visit = {
  readonly page: Page;
  /** The page's memory after garbage collection. */
  held(): Promise<Held>;
  /** How much the main thread worked since the last call. */
  span(): Promise<Span>;
  close(): Promise<void>;
};

export type Visitors = {
  visit(address: Address, tabs?: readonly string[]): Promise<Visit>;
  /** A page that only appends the text from a socket to one element. */
  barePage(socket: string): Promise<Page>;
  close(): Promise<void>;
};

/** Real Chromium; each visit has its own cookies and storage, with these tabs open and the first of them active. */
export async function openChromium(): Promise<Visitors> {
  const browser: TestBrowser = await launchBrowser({ hasMotion: true });
  return {
    async visit({ port, token }, tabs = []) {
      const { page, context, faults } = await browser.visitor();
      page.setDefaultTimeout(60_000);
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ tabs, activeTab: tabs[0] ?? null });
      await fetch(`http://127.0.0.1:${port}/api/workspace`, { method: 'PUT', headers, body });
      await page.goto(`http://127.0.0.1:${port}/?token=${token}`);
      await page.getByRole('navigation').waitFor();
      const protocol = await context.newCDPSession(page);
      await protocol.send('HeapProfiler.enable');
      const span = await watchMainThread(protocol);
      return {
        page,
        span,
        async held() {
          await protocol.send('HeapProfiler.collectGarbage');
          const { metrics } = await protocol.send('Performance.getMetrics');
          const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
          return { heapMb: value('JSHeapUsedSize') / 1e6, nodes: value('Nodes') };
        },
        async close() {
          if (faults.length > 0) throw new Error(`The page had faults: ${faults.join('; ')}`);
          await context.close();
        },
      };
    },
    async barePage(socket) {
      const { page } = await browser.visitor();
      await page.setContent('<!doctype html><pre style="white-space: pre-wrap"></pre>');
      await page.evaluate(
        (url) =>
          new Promise<void>((resolve) => {
            const bare = new WebSocket(url);
            bare.addEventListener('open', () => resolve());
            bare.addEventListener('message', ({ data }) => {
              const { text } = JSON.parse(String(data)) as { text: string };
              document.querySelector('pre')?.append(text);
              scrollTo(0, document.body.scrollHeight);
            });
          }),
        socket,
      );
      return page;
    },
    close: () => browser.close(),
  };
}
