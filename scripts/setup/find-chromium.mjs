import { existsSync } from 'node:fs';

const usual = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The browser for the tests: only CHROMIUM_PATH if it is set, otherwise one in a common location.
 * @param {NodeJS.ProcessEnv} [env]
 * @param {(file: string) => boolean} [exists]
 * @returns {string | undefined}
 */
export function findChromium(env = process.env, exists = existsSync) {
  const candidates = env.CHROMIUM_PATH ? [env.CHROMIUM_PATH] : usual;
  return candidates.find((file) => exists(file));
}
