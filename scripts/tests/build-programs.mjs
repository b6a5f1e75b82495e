import { cli, ensureBuilt, page, server, serverForTests } from '../setup/build.mjs';

/**
 * Runs once before integration and browser tests: they start what `npm start` runs, which must be made of the sources at
 * hand. Takes almost no time if nothing has changed.
 */
export default async function buildPrograms() {
  for (const build of [page, server, serverForTests, cli]) await ensureBuilt(build);
}
