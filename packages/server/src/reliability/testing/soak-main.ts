import { appendFileSync } from 'node:fs';
import { bytesInUse } from './heap.ts';

/**
 * The program with its recording agent. SIGUSR2 makes it append its memory use after garbage collection to `SOAK_FILE`.
 */
const { SOAK_FILE: file = '/dev/null' } = process.env;
process.on('SIGUSR2', () => appendFileSync(file, `${bytesInUse()}\n`));
await import('./recorded-main.ts');
