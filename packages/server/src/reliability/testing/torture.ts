/** Suites have a short form for every `npm test` and a long one for the night: `LIMINAL_TORTURE=1`. */
export const isTorture = process.env['LIMINAL_TORTURE'] === '1';

export const scaled = (short: number, long: number): number => (isTorture ? long : short);

/** Different in each run. Titles include it, so a failure names it, and `LIMINAL_SEED=…` repeats that run. */
export const seed = Number(process.env['LIMINAL_SEED'] ?? Date.now() % 1_000_000);

/** Only guards against hangs: the load of the machine must not decide whether a test passes. */
export const patience = { timeout: scaled(60_000, 120_000), interval: 10 };
export const testTimeout = scaled(180_000, 1_800_000);
