import { createLaunchApart } from '../launch/launch-apart.ts';

/**
 * A fake server: starts a program that never ends, and prints its process id. With two files, the program must not stop
 * halfway: it waits for the first, prints something, and creates the second.
 */
const [goOn, done] = process.argv.slice(2);
const finishes = goOn !== undefined;
const script = finishes
  ? `echo $$; while [ ! -e "${goOn}" ]; do sleep 0.05; done; echo on; echo on >&2; : > "${done ?? ''}"`
  : 'echo $$; exec sleep 600';
createLaunchApart().launch(
  { command: 'sh', args: ['-c', script], cwd: '/', env: { PATH: process.env['PATH'] ?? '' }, input: '', finishes },
  { stdout: (chunk) => void process.stdout.write(chunk), stderr() {}, failed() {}, ended() {} },
);
