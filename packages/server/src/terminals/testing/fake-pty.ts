import { PassThrough } from 'node:stream';
import type { Pty, PtyExit, PtySize } from '../pty/pty.ts';

export type FakePty = Pty & {
  readonly written: string[];
  readonly sizes: PtySize[];
  print(text: string | Buffer): void;
  end(exit?: PtyExit): Promise<void>;
};

/** A program whose output the test writes. */
export function createFakePty(): FakePty {
  const output = new PassThrough({ highWaterMark: 64 * 1024 * 1024 });
  const exited = Promise.withResolvers<PtyExit>();
  const written: string[] = [];
  const sizes: PtySize[] = [];
  let isRunning = true;
  const end = async (exit: PtyExit = { exitCode: 0 }) => {
    isRunning = false;
    output.end();
    exited.resolve(exit);
    await exited.promise;
  };
  return {
    pid: 1,
    output,
    written,
    sizes,
    get isRunning() {
      return isRunning;
    },
    write: (data) => isRunning && (written.push(data), true),
    resize: (size) => void sizes.push(size),
    exited: exited.promise,
    kill: () => end({ exitCode: null, signal: 'SIGTERM' }),
    print: (text) => void output.write(text),
    end,
  };
}
