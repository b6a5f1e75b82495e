import { planChromium } from './chromium-plan.mjs';
import { installWithApt, machineRights } from './apt.mjs';
import { findChromium } from './find-chromium.mjs';

/** Makes sure that the browser tests have a browser, and installs Debian's where it may. */
export async function ensureChromium() {
  if (findChromium() !== undefined) return;
  await installWithApt({
    what: 'Chromium for the browser tests',
    plan: planChromium({ chromiumPath: process.env.CHROMIUM_PATH, ...machineRights() }),
    isThere: () => findChromium() !== undefined,
    otherwise: 'set CHROMIUM_PATH to the program file of one',
  });
}
