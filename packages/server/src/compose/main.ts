import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { releaseMemoryWhenIdle } from '../program/idle-memory.ts';

// Caching compiled code halves the time of a second start. It must be enabled before anything else is loaded.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/liminal-compile'));
const { run } = await import('./run.ts');
await run(process.argv.slice(2), process.env);
releaseMemoryWhenIdle();
