// Property tests use different inputs in every run, and a failure prints its seed: `LIMINAL_SEED=… npm run unit`
// repeats it.
const seed = process.env['LIMINAL_SEED'];
if (seed !== undefined) {
  const { configureGlobal, readConfigureGlobal } = await import('fast-check');
  configureGlobal({ ...readConfigureGlobal(), seed: Number(seed) });
}
