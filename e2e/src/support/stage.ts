import { type Ready, startProgram } from '@liminal/stand-ins/testing/start-program';
import { afterAll, beforeAll } from 'vitest';
import { launchBrowser, type TestBrowser } from './browser.ts';

/** One program and one browser for all tests of a file; available once its tests run. */
export type Stage = { readonly ready: Ready; readonly browser: TestBrowser; readonly dataDir: string };

/** Call it at the top of a file. `demoSpeed` multiplies the speed of the demo agent. */
export function setStage({ demoSpeed = 20 } = {}): Stage {
  const stage: { ready?: Ready; browser?: TestBrowser; dataDir?: string } = {};
  let stop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const program = startProgram({ env: { LIMINAL_DEMO_SPEED: String(demoSpeed) } });
    stop = program.stop;
    stage.dataDir = program.dataDir;
    try {
      stage.browser = await launchBrowser();
      stage.ready = await program.ready;
    } catch (error) {
      // If a later hook of the file fails, `afterAll` doesn't run and wouldn't end it.
      await program.stop();
      throw error;
    }
  });
  afterAll(async () => {
    await stage.browser?.close();
    await stop?.();
  });
  return stage as Stage;
}
