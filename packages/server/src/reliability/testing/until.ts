import { patience } from './torture.ts';

/** Waits until the condition holds. */
export async function until(holds: () => boolean, what = 'the condition'): Promise<void> {
  const deadline = performance.now() + patience.timeout;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`${what} did not come about`);
    await new Promise(setImmediate);
  }
}
