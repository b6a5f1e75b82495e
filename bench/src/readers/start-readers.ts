import { fileURLToPath } from 'node:url';
import { startProcess } from '../processes/start-process.ts';
import type { ReaderSpec } from './reader-process.ts';

const file = fileURLToPath(new URL('./reader-process.ts', import.meta.url));

/** A process with these sockets open and, if they are ours, subscribed. */
export async function startReaders(specs: readonly ReaderSpec[]) {
  const readers = await startProcess(file);
  await readers.ask('open', specs);
  return readers;
}
