import { runCli } from './run-cli.ts';

// Whoever reads may have heard enough, as `head` has: that is no failure.
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
// A socket that is being closed must not keep the person waiting; what was written has to be out first.
process.stdout.write('', () => process.exit(exitCode));
