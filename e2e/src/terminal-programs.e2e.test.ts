import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callApi, playDemo } from './support/call-api.ts';
import { setStage } from './support/stage.ts';
import { openTerminals, shows, textOf, type } from './support/terminal-page.ts';

const stage = setStage({ demoSpeed: 5 });
const patience = { timeout: 30_000 };
let folder: string;
let repo: string;
let projectId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'liminal-programs-'));
  repo = join(folder, 'repo');
  mkdirSync(repo);
  await playDemo(stage.ready, folder, [['repo', 'plan']]);
  const { projects } = await callApi<{ projects: { projectId: string }[] }>(stage.ready, 'GET', 'projects');
  projectId = projects[0]?.projectId ?? '';
  await callApi(stage.ready, 'POST', `projects/${projectId}/trust`, { trusted: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A new terminal, the only one, in this many browsers of the same size. */
async function inBrowsers(count: number, body: object = {}): Promise<{ pages: Page[]; foreign: () => string[] }> {
  const at = `projects/${projectId}/terminals`;
  const { terminals } = await callApi<{ terminals: { terminalId: string }[] }>(stage.ready, 'GET', at);
  for (const { terminalId } of terminals) await callApi(stage.ready, 'DELETE', `terminals/${terminalId}`);
  await callApi(stage.ready, 'POST', at, body);
  const visitors: Awaited<ReturnType<typeof stage.browser.visitor>>[] = [];
  for (let browser = 0; browser < count; browser += 1) {
    const visitor = await stage.browser.visitor();
    await openTerminals(visitor.page, stage.ready);
    visitors.push(visitor);
  }
  return {
    pages: visitors.map(({ page }) => page),
    foreign: () => visitors.flatMap(({ foreignRequests, faults }) => [...foreignRequests, ...faults]),
  };
}
const same = (one: Page, other: Page) =>
  expect.poll(async () => (await textOf(one)) === (await textOf(other)), patience).toBe(true);

describe('programs in a terminal on the page', () => {
  it('TM-1 TM-2: vim draws the same in two browsers, and in one that joins later, and only the keys are typed', async () => {
    const text = Array.from({ length: 200 }, (_, line) => `line ${line + 1}`).join('\n');
    writeFileSync(join(repo, 'notes.txt'), `${text}\n`);
    const { pages, foreign } = await inBrowsers(2);
    const [one, two] = pages as [Page, Page];
    await type(one, 'PS1="$ "; clear; echo be""fore; vim -u NONE -N notes.txt');
    for (const page of pages) await shows(page, /line 1\nline 2\n/);
    await one.keyboard.type('Gohello from vim');
    await one.keyboard.press('Escape');
    for (const page of pages) await shows(page, /line 200\nhello from vim/);
    await same(one, two);
    await two.reload();
    await shows(two, /line 200\nhello from vim/);
    await same(one, two);
    const late = await stage.browser.visitor();
    await openTerminals(late.page, stage.ready);
    await shows(late.page, /line 200\nhello from vim/);
    await same(one, late.page);
    await type(one, ':wq');
    // The previous screen returns, and the file has exactly the typed text: no answers to vim's queries.
    for (const page of [...pages, late.page]) await shows(page, /^before\n/);
    expect(readFileSync(join(repo, 'notes.txt'), 'utf8')).toBe(`${text}\nhello from vim\n`);
    expect(foreign()).toEqual([]);
  });

  it('TM-2: less and top fill the screen, follow its size, and restore it', async () => {
    writeFileSync(join(repo, 'long.txt'), Array.from({ length: 500 }, (_, line) => `row ${line + 1}`).join('\n'));
    const { pages } = await inBrowsers(2);
    const [one, two] = pages as [Page, Page];
    await type(one, 'PS1="$ "; clear; echo be""fore; less long.txt');
    await shows(one, /^row 1\n/);
    await one.keyboard.press('Shift+KeyG');
    for (const page of pages) await shows(page, /row 500\n.*END/);
    await one.setViewportSize({ width: 1280, height: 560 });
    await one.getByRole('group', { name: /^Terminal/ }).click();
    await same(one, two);
    await one.keyboard.press('KeyQ');
    for (const page of pages) await shows(page, /^before\n/);
    await type(one, 'top');
    for (const page of pages) await shows(page, /PID +USER/);
    await one.keyboard.press('KeyQ');
    // Until it has ended, `top` discards what is typed.
    await shows(one, /^\$$/m);
    await type(one, 'echo af""ter');
    for (const page of pages) await shows(page, /after/);
  });

  it('TM-3: a program ended by a signal is shown as such in every browser, and never appears live again', async () => {
    const { pages } = await inBrowsers(2);
    await type(pages[0] as Page, 'kill -9 $$');
    for (const page of pages) await page.getByRole('status').filter({ hasText: 'Ended by a signal' }).waitFor();
    await (pages[1] as Page).reload();
    await (pages[1] as Page).getByRole('status').filter({ hasText: 'Ended by a signal' }).waitFor();
  });

  it('TM-2: hostile output types nothing into the shell, and changes nothing on the page', async () => {
    const evil = '\rtouch pwned\r';
    const sequences = [
      `\u001B]0;${evil}\u0007\u001B]2;${evil}\u001B\\`,
      // Queries for the title, the icon, the window, the clipboard, colours, settings, versions and checksums.
      '\u001B[21t\u001B[20t\u001B[14t\u001B[18t\u001B[19t\u001B[22;0t\u001B[23;0t',
      '\u001B]52;c;?\u0007\u001B]52;c;dG91Y2ggcHduZWQK\u0007',
      '\u001B]4;1;?\u0007\u001B]10;?\u0007\u001B]11;?\u0007\u001B]12;?\u0007',
      `\u001BP$q${evil}\u001B\\\u001BP+q544e\u001B\\\u0005\u001B[c\u001B[>c\u001B[=c\u001B[5n\u001B[6n\u001B[?6n`,
      '\u001B[>q\u001B[?2026$p\u001B[4$p\u001B[?u\u001B[1;1;1;1;5;5*y\u001B[x\u001BZ',
      // Notifications, files, other programs, redefined keys, and links.
      `\u001B]9;pwned\u0007\u001B]777;notify;a;b\u0007\u001B]1337;File=name=cHduZWQ=;inline=1:cHduZWQ=\u0007`,
      '\u001B]1337;SetMark\u0007\u001B]50;touch pwned\u0007\u001B]P0000000\u001B[?1004h\u001B[?9001h',
      '\u001B]8;;javascript:alert(1)\u0007link\u001B]8;;\u0007 \u001B]8;;https://evil.example/\u0007web\u001B]8;;\u0007',
    ];
    writeFileSync(join(repo, 'hostile'), sequences.join(''));
    const { pages, foreign } = await inBrowsers(2);
    const [one] = pages as [Page];
    const dialogs: string[] = [];
    for (const page of pages) page.on('dialog', (dialog) => void (dialogs.push(dialog.message()), dialog.dismiss()));
    const title = await one.title();
    await type(one, 'PS1="$ "; clear; cat hostile; echo; read -rst 3 -n 2000 -d "" typed; echo "ty""ped=${#typed}."');
    for (const page of pages) await shows(page, /typed=\d+\./);
    await type(
      one,
      `printf %s "$typed" | tr -dc '\\r\\n' | wc -c | sed 's/^ */line ""ends=/'; case $typed in *pwned*|*touch*) echo "answ""ered";; esac; printf '\\033[?1004l'; echo "al""l"`,
    );
    await shows(one, /line ""ends=0\n/);
    await shows(one, /^all$/m);
    expect(await textOf(one)).not.toMatch(/^answered$/m);
    expect([existsSync(join(repo, 'pwned')), await one.title(), dialogs]).toEqual([false, title, []]);
    expect(one.context().pages()).toHaveLength(1);
    expect(foreign()).toEqual([]);
  });
});
