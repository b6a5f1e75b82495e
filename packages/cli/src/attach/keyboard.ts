import { clearLine, createInterface, cursorTo } from 'node:readline';

export type Keyboard = {
  /** Writes above the line the user is typing. */
  write(text: string): void;
  close(): void;
};

type Handlers = {
  readonly onLine: (line: string) => void;
  readonly onInterrupt: () => void;
  readonly onEnd: () => void;
};

/** The user's terminal input: lines, Ctrl+C and Ctrl+D. */
export function openKeyboard({ onLine, onInterrupt, onEnd }: Handlers): Keyboard {
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: true, prompt: '' });
  lines.on('line', onLine);
  lines.on('SIGINT', onInterrupt);
  lines.on('close', onEnd);
  return {
    write(text) {
      if (text === '') return;
      if (lines.line === '') return void process.stdout.write(text);
      cursorTo(process.stdout, 0);
      clearLine(process.stdout, 0);
      process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
      lines.prompt(true);
    },
    close() {
      lines.off('close', onEnd);
      lines.close();
    },
  };
}
