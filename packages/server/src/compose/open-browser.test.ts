import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openBrowser } from './open-browser.ts';
import { redirectFile } from './data-dir.ts';

const url = 'http://127.0.0.1:4747/?token=the-token-itself';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'liminal-open-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const opened: string[] = [];
const said: string[] = [];
const opening = (
  env: NodeJS.ProcessEnv,
  openPath = async (path: string) => (opened.push(path), { once: () => {} }),
) => {
  opened.length = said.length = 0;
  return openBrowser({ url, folder, say: (sentence) => said.push(sentence), openPath, env });
};

it('opens a redirect file that only its owner can read, without the token in any argument', async () => {
  const elsewhere = join(folder, 'elsewhere');
  symlinkSync(elsewhere, redirectFile(folder));
  await opening({ DISPLAY: ':0' });
  expect(opened).toEqual([redirectFile(folder)]);
  expect(opened.join('')).not.toContain('token-itself');
  expect(readFileSync(redirectFile(folder), 'utf8')).toContain(`content="0; url=${url}"`);
  expect(statSync(redirectFile(folder)).mode & 0o777).toBe(0o600);
  expect(() => statSync(elsewhere)).toThrow('ENOENT');
});

it('reports that no browser can be opened', async () => {
  await opening({});
  expect(process.platform !== 'linux' || said.length === 1).toBe(true);
  await opening({ DISPLAY: ':0' }, () => Promise.reject(new Error('no')));
  expect(said).toEqual(["Couldn't open a browser. Open the link above yourself."]);
});
