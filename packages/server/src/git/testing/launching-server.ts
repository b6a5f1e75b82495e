import { createLaunchApart } from '../launch/launch-apart.ts';

/** Stands for a server: starts a program that never ends, and prints its process id. */
createLaunchApart().launch(
  {
    command: 'sh',
    args: ['-c', 'echo $$; exec sleep 600'],
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '' },
    input: '',
  },
  { stdout: (chunk) => void process.stdout.write(chunk), stderr() {}, failed() {}, ended() {} },
);
