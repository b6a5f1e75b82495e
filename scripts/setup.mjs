// Runs on whatever Node the machine has, before ours is installed: only syntax that an old Node can read.
if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(
    'Node 20 or newer is needed; you have ' + process.version + '. Get it from https://nodejs.org and try again.',
  );
  process.exitCode = 1;
} else {
  void import('./setup/run.mjs').then((setup) => setup.run(process.argv.slice(2)));
}
