import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Compiled code is kept between runs, so a second start takes half the time; it must be on before anything else
// is loaded.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/liminal-compile'));
const { run } = await import('./run.ts');
await run(process.argv.slice(2), process.env);
