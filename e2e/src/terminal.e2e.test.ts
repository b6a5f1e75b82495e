import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { callApi, playDemo } from './support/call-api.ts';
import { setStage } from './support/stage.ts';
import { newTerminal, openTerminals, screen, shows, textOf, type } from './support/terminal-page.ts';

const stage = setStage({ demoSpeed: 5 });
const patience = { timeout: 30_000 };
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'liminal-terminal-'));
  mkdirSync(join(folder, 'repo'));
  await playDemo(stage.ready, folder, [['repo', 'plan']]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a terminal on the page', () => {
  it('TM-4 TM-1 TM-3: asks for trust, runs a shell, survives a reload, shows the same in a second browser, and shows its exit', async () => {
    const { page, faults, foreignRequests } = await stage.browser.visitor();
    await openTerminals(page, stage.ready);
    const panel = page.getByRole('region', { name: 'Terminals' });
    await panel.getByRole('alert').getByText('Trust this folder first').waitFor();
    await panel.getByRole('button', { name: 'Trust folder' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Trust/ })
      .click();
    await panel.getByRole('button', { name: 'New terminal' }).click();
    await type(page, 'PS1="$ "; clear; echo "he""llo from $(basename "$PWD")"');
    // The shell prints its prompt a moment later.
    const answered = /^hello from repo\n\$\n/;
    await shows(page, answered);
    expect(await violations(page, '.terminal-panel')).toEqual([]);

    await page.reload();
    await shows(page, answered);

    const other = await stage.browser.visitor({ width: 390, height: 760, scheme: 'dark' });
    await openTerminals(other.page, stage.ready);
    await shows(other.page, 'hello from repo');
    await type(other.page, 'echo "from the oth""er"');
    await shows(other.page, 'from the other');
    await shows(page, 'from the other');
    expect(await violations(other.page, '.terminal-panel')).toEqual([]);

    await type(other.page, 'exit 3');
    for (const each of [page, other.page])
      await each.getByRole('status').filter({ hasText: 'Exited with code 3' }).waitFor();
    await panel.getByRole('button', { name: 'End this terminal' }).click();
    await panel.getByText('No terminal is open').waitFor();
    await page.keyboard.press('Control+Backquote');
    await expect.poll(() => panel.count(), patience).toBe(0);
    // Chromium reports the refusal itself, however the page handles it.
    expect([...faults, ...other.faults].filter((fault) => !fault.includes('409 (Conflict)'))).toEqual([]);
    expect([...foreignRequests, ...other.foreignRequests]).toEqual([]);
  });

  it('TM-2: a program’s output never sets the clipboard, the title or a link, and only one browser answers its queries', async () => {
    const { projects } = await callApi<{ projects: { projectId: string }[] }>(stage.ready, 'GET', 'projects');
    const { projectId = '' } = projects[0] ?? {};
    await callApi(stage.ready, 'POST', `projects/${projectId}/trust`, { trusted: true });
    await callApi(stage.ready, 'POST', `projects/${projectId}/terminals`, {});
    const [one, two] = [await stage.browser.visitor(), await stage.browser.visitor()];
    for (const { page } of [one, two]) await openTerminals(page, stage.ready);
    const { page, context } = one;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() => navigator.clipboard.writeText('untouched'));
    const title = await page.title();
    const hostile = String.raw`\033]52;c;aGFja2Vk\007\033]0;hacked\007\033]8;;https://evil.example/\007click\033]8;;\007`;
    await type(page, `clear; printf '${hostile}'; echo " sh""own"`);
    await shows(page, 'click shown');
    // By position: the emulator puts its own layer over the text.
    await screen(page).getByText('click', { exact: false }).last().click({ force: true });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('untouched');
    expect(await page.title()).toBe(title);
    expect(context.pages()).toHaveLength(1);
    // The answer may come before the shell reads it, and must not be echoed then.
    const ask = String.raw`stty -echo; printf '\033[5n'; IFS= read -rs -t 2 -n 40 a; stty echo; printf 'answers=%s.\n' "$(printf %s "$a" | tr -cd n | wc -c)"`;
    await type(page, `clear; ${ask}`);
    for (const each of [one, two]) await shows(each.page, 'answers=1.');
    // A reload replays the query; nothing answers it again, so nothing is typed into the shell.
    await page.reload();
    await shows(page, /answers=1\./);
    expect(await textOf(page)).not.toContain('0n');
    expect([...one.foreignRequests, ...two.foreignRequests]).toEqual([]);
  });

  it('TM-2: the page stays responsive under endless output, Ctrl+C stops it, and a selection can be added to the message', async () => {
    const { page } = await stage.browser.visitor();
    const { projects } = await callApi<{ projects: { projectId: string }[] }>(stage.ready, 'GET', 'projects');
    const { projectId = '' } = projects[0] ?? {};
    await callApi(stage.ready, 'POST', `projects/${projectId}/trust`, { trusted: true });
    await openTerminals(page, stage.ready);
    await newTerminal(page);
    await type(page, 'yes');
    await shows(page, /y\ny\ny/);
    await page.keyboard.press('Control+C');
    await type(page, 'clear; echo qu""oted');
    await shows(page, /^quoted/m);
    await page.getByText('plan', { exact: true }).first().click();
    await page.locator('#composer-input').waitFor();
    await screen(page).getByText('quoted', { exact: false }).last().dblclick({ force: true });
    await page.getByRole('button', { name: 'Add to message', exact: true }).click();
    await expect.poll(() => page.locator('#composer-input').inputValue(), patience).toContain('quoted');
  });

  it('TM-5 TM-6: adds the last command to the message; a saved command runs by name, and shows its state and its ports', async () => {
    const { page } = await stage.browser.visitor();
    const { projects } = await callApi<{ projects: { projectId: string }[] }>(stage.ready, 'GET', 'projects');
    const { projectId = '' } = projects[0] ?? {};
    await callApi(stage.ready, 'POST', `projects/${projectId}/trust`, { trusted: true });
    const listen = `require('http').createServer((_, reply) => reply.end('served')).listen(0, '127.0.0.1', () => console.log('listening'))`;
    await callApi(stage.ready, 'PUT', `projects/${projectId}/settings`, {
      commands: [
        { name: 'Dev server', command: `'${process.execPath}' -e "${listen}"` },
        { name: 'Lint', command: 'echo one problem; exit 4' },
      ],
    });
    await openTerminals(page, stage.ready);
    await page.getByText('plan', { exact: true }).first().click();
    await page.locator('#composer-input').waitFor();
    await newTerminal(page);
    await type(page, 'printf "%s\\n" first second | tac');
    await shows(page, /^second\nfirst$/m);
    await page.getByRole('button', { name: 'Add last command to message' }).click();
    const message = () => page.locator('#composer-input').inputValue();
    await expect.poll(message, patience).toMatch(/^```console\n.*\| tac\nsecond\nfirst\n```/);

    const saved = page.getByRole('list', { name: /^Commands of/ });
    await saved.getByRole('button', { name: 'Run Lint' }).click();
    await saved.getByText('Exit 4', { exact: true }).waitFor();
    await page.locator('#composer-input').focus();
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('dialog').getByRole('combobox').fill('Run Dev server');
    await page.keyboard.press('Enter');
    const link = saved.getByRole('link', { name: /^Open http:\/\/localhost:\d+\/$/ });
    await link.waitFor();
    expect(await (await fetch((await link.getAttribute('href')) ?? '')).text()).toBe('served');
    expect(await violations(page)).toEqual([]);
    await saved.getByRole('button', { name: 'Stop Dev server' }).click();
    await saved.getByRole('button', { name: 'Run Dev server' }).waitFor();
  });
});
