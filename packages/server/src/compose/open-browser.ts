import { execFile } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import open from 'open';
import { redirectFile } from './data-dir.ts';

export type OpenBrowserOptions = {
  readonly url: string;
  /** A folder that only its owner can read. */
  readonly folder: string;
  readonly say: (sentence: string) => void;
  readonly openPath?: (path: string) => Promise<{ once(event: 'error', listener: () => void): unknown }>;
  readonly env?: NodeJS.ProcessEnv;
};

/** By then the browser has read the file, or never will. */
const readMs = 60_000;

/**
 * Opens the address in the user's browser, or reports that there is none. Either way the server keeps running. Every
 * user of the machine can see a program's arguments, so the browser gets a file that redirects to the address.
 */
export async function openBrowser({
  url,
  folder,
  say,
  openPath = open,
  env = process.env,
}: OpenBrowserOptions): Promise<void> {
  const cannot = () => say("Couldn't open a browser. Open the link above yourself.");
  const isWsl = env['WSL_DISTRO_NAME'] !== undefined;
  const hasDisplay = process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'] || isWsl;
  if (!hasDisplay) return cannot();
  try {
    const file = writeRedirect(folder, url);
    const child = await openPath(isWsl ? await windowsPath(file) : file);
    child.once('error', cannot);
  } catch {
    cannot();
  }
}

function writeRedirect(folder: string, url: string): string {
  const file = redirectFile(folder);
  // Remove it first: the mode applies only to a new file, and a symlink left there would be followed.
  rmSync(file, { force: true });
  const escaped = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${escaped}"><title>Liminal Builder</title><a href="${escaped}">Open Liminal Builder</a>\n`,
    { mode: 0o600, flag: 'wx' },
  );
  chmodSync(file, 0o600);
  setTimeout(() => rmSync(file, { force: true }), readMs).unref();
  return file;
}

/** A browser on Windows needs the Windows path of a WSL file. */
const windowsPath = async (file: string): Promise<string> =>
  (await promisify(execFile)('wslpath', ['-w', file])).stdout.trim();
