import { appendFileSync } from 'node:fs';
import { bytesInUse } from './heap.ts';

/** The program with its recording agent; SIGUSR2 makes it append to `SOAK_FILE` what it holds, without garbage. */
const { SOAK_FILE: file = '/dev/null' } = process.env;
process.on('SIGUSR2', () => appendFileSync(file, `${bytesInUse()}\n`));
await import('./recorded-main.ts');
