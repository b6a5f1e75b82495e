/** Suites have a short form for every `npm test` and a long one for nights: `LIMINAL_TORTURE=1`. */
export const isTorture = process.env['LIMINAL_TORTURE'] === '1';

export const scaled = (short: number, long: number): number => (isTorture ? long : short);

/** Another one in each run. Titles carry it, so a failure names it; `LIMINAL_SEED=…` repeats that run. */
export const seed = Number(process.env['LIMINAL_SEED'] ?? Date.now() % 1_000_000);

/** Only against what never comes: how busy the machine is must not decide whether a test passes. */
export const patience = { timeout: scaled(60_000, 120_000), interval: 10 };
export const testTimeout = scaled(180_000, 1_800_000);
