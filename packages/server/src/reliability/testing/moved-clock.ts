import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into the program (`--import`): shifts its clock by the milliseconds in the file `MOVED_CLOCK_FILE`, which
 * is read again at SIGUSR2. The value is then written next to it, for tests that wait for it.
 */
const { MOVED_CLOCK_FILE: file = '/dev/null' } = process.env;
const RealDate = Date;
let offset = 0;

function read(): void {
  offset = Number(readFileSync(file, 'utf8') || 0);
  writeFileSync(`${file}.read`, String(offset));
}

class MovedDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(MovedDate.now());
    else super(...given);
  }
  static override now(): number {
    return RealDate.now() + offset;
  }
}

if (isMainThread) {
  read();
  process.on('SIGUSR2', read);
  globalThis.Date = MovedDate as DateConstructor;
}
