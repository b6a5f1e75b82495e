import type { Page } from 'playwright-core';

/** Replaces the browser's notifications in a page without focus. Returns a function that reads the shown ones. */
export async function fakeNotices(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shown: string[] = [];
    let permission = 'default';
    class Notice {
      static get permission() {
        return permission;
      }
      static async requestPermission() {
        return (permission = 'granted');
      }
      constructor(title: string, { body }: { body: string }) {
        shown.push(`${title}: ${body}`);
      }
      close() {}
    }
    document.hasFocus = () => false;
    Object.assign(globalThis, { shown, Notification: Notice });
  });
  return () => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
}
