import { runCli } from './run-cli.ts';

// The reader may have stopped early, as `head` does. That isn't a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
const exitCode = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
});
process.exitCode = exitCode;
// A closing socket must not keep the user waiting, but all output must be written first.
process.stdout.write('', () => process.exit(exitCode));
