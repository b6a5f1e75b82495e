import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { onTestFinished, TestRunner } from 'vitest';
import { findChromium } from '../../../scripts/setup/find-chromium.mjs';

const quietFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

export type Look = {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  /** For pictures: the same time formats on every machine. */
  readonly hasFixedFormats?: boolean;
  /** Touch, no hover, and scroll bars that take no space. */
  readonly isPhone?: boolean;
};

const fixedFormats = { timezoneId: 'UTC', locale: 'en-GB' } as const;

export type TestBrowser = {
  /** A separate browser context with its own cookies and storage. It closes with the test that opened it. */
  visitor(look?: Look): Promise<Visitor>;
  close(): Promise<void>;
};

export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors in the page: uncaught errors and console errors. */
  readonly faults: string[];
  /** Requests to other origins. */
  readonly foreignRequests: string[];
};

/**
 * Real Chromium, headless, from the system: `npm test` installs it if it can. Without motion by default: drawing it
 * takes a tenth of the processors' time, and clicks wait for it.
 */
export async function launchBrowser({ hasMotion = false } = {}): Promise<TestBrowser> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error('No Chromium here. Install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.');
  const browser: Browser = await chromium.launch({ executablePath, args: quietFlags });
  return {
    async visitor({ width = 1280, height = 800, scheme = 'light', hasFixedFormats = false, isPhone = false } = {}) {
      const viewport = { width, height };
      const context = await browser.newContext({
        viewport,
        colorScheme: scheme,
        reducedMotion: hasMotion ? 'no-preference' : 'reduce',
        hasTouch: isPhone,
        isMobile: isPhone,
        ...(hasFixedFormats && fixedFormats),
      });
      if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => context.close());
      const page = await context.newPage();
      const faults: string[] = [];
      const foreignRequests: string[] = [];
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      page.on('request', (request) => {
        const url = new URL(request.url());
        const isOwn = url.protocol === 'data:' || url.protocol === 'blob:' || url.hostname === '127.0.0.1';
        if (!isOwn) foreignRequests.push(request.url());
      });
      return { page, context, faults, foreignRequests };
    },
    close: () => browser.close(),
  };
}
