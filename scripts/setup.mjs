// Runs on whatever Node the machine has, before ours is installed, so it uses only syntax of old versions.
import { platformProblem } from './setup/platform.mjs';

const problem = platformProblem(process.platform, process.versions.node);
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
} else {
  void import('./setup/run.mjs').then((setup) => setup.run(process.argv.slice(2)));
}
