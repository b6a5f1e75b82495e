import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Program, type Ready, startProgram } from '@liminal/stand-ins/testing/start-program';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { launchBrowser, type TestBrowser } from './support/browser.ts';
import { callApi } from './support/call-api.ts';
import { createSessionPage } from './support/session-page.ts';
import { shows, type } from './support/terminal-page.ts';

const folders = mkdtempSync(join(tmpdir(), 'liminal-sign-in-'));
const credential = join(folders, 'credential.json');
let program: Program;
let browser: TestBrowser;
let ready: Ready;

/** Stands in for a known agent, under its own name: its login asks for a code, and without it no message is answered. */
const kimi = `#!${process.execPath}
  const { existsSync, writeFileSync } = require('node:fs');
  const lines = require('node:readline').createInterface({ input: process.stdin });
  const credential = ${JSON.stringify(credential)};
  const out = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const on = {
    initialize: () => ({ result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } }),
    'session/new': () => ({ result: { sessionId: 's1' } }),
    'session/load': () => ({ result: {} }),
    'session/prompt': ({ params }) => {
      if (!existsSync(credential)) return { error: { code: -32000, message: 'Authentication required' } };
      const text = 'You said: ' + params.prompt.map((part) => part.text ?? '').join('');
      out({ method: 'session/update', params: { sessionId: 's1',
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } } });
      return { result: { stopReason: 'end_turn' } };
    },
  };
  if (process.argv[2] === 'login') {
    console.log('Enter the code from the browser:');
    lines.on('line', (line) => {
      if (line.trim() !== 'let-me-in') return console.log('That code is wrong. Try again:');
      writeFileSync(credential, '{}');
      process.exit(0);
    });
  } else {
    lines.on('line', (line) => {
      const message = JSON.parse(line);
      const reply = on[message.method]?.(message);
      if (reply) out({ id: message.id, ...reply });
    });
  }
`;

beforeAll(async () => {
  const bin = join(folders, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'kimi'), kimi);
  chmodSync(join(bin, 'kimi'), 0o755);
  program = startProgram({ env: { PATH: [bin, process.env['PATH'] ?? ''].join(delimiter) } });
  browser = await launchBrowser();
  ready = await program.ready;
  const dir = join(folders, 'shop');
  mkdirSync(dir);
  const { projectId } = await callApi<{ projectId: string }>(ready, 'POST', 'projects', { dir });
  await callApi(ready, 'POST', `projects/${projectId}/trust`, { trusted: true });
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  rmSync(folders, { recursive: true, force: true, maxRetries: 5 });
});

it('TM-7: signs in to an agent in a terminal in the page, then sends the failed message again with one click', async () => {
  const { page, faults } = await browser.visitor({ width: 1280, height: 800 });
  page.setDefaultTimeout(40_000);
  await page.goto(ready.url);
  await page.getByRole('navigation').getByRole('button', { name: 'shop', exact: true }).waitFor();
  const session = createSessionPage(page, (method, path, body) =>
    callApi(ready, method, path.replace(/^\/api\//, ''), body),
  );
  await session.start('Kimi Code');
  await session.say('How many shops are there?');
  const failure = page.getByRole('group', { name: 'The turn failed' });
  await failure.getByText("Kimi Code isn't signed in", { exact: true }).waitFor();
  await failure.getByRole('button', { name: 'Sign in' }).click();

  const panel = page.getByRole('region', { name: 'Terminals' });
  await panel.getByRole('tab', { name: 'Sign in to Kimi Code' }).waitFor();
  await shows(page, 'Enter the code from the browser:');
  await failure.getByRole('button', { name: 'Show sign-in' }).waitFor();
  await type(page, 'wrong');
  await shows(page, 'That code is wrong. Try again:');
  expect(existsSync(credential)).toBe(false);
  await type(page, 'let-me-in');

  await failure.getByText("You're signed in to Kimi Code. Send your message again.").waitFor();
  expect(existsSync(credential)).toBe(true);
  expect(await violations(page)).toEqual([]);
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect
    .poll(() => session.answer.innerText(), { timeout: 40_000 })
    .toContain('You said: How many shops are there?');
  expect(faults).toEqual([]);
});
