// Builds the command line into packages/cli/dist: plain JavaScript that starts fast, on Node 20 too. Each command is a
// separate file that is loaded only when used.
import { rmSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { inRoot } from './setup/paths.mjs';

const folder = process.argv[2] ?? inRoot('packages', 'cli', 'dist');
rmSync(folder, { recursive: true, force: true });
/**
 * The parts that `ls` and `wait` load, without the schemas.
 * @param {string} file
 */
const isLight = (file) =>
  /[/](cli[/]src[/](base|commands[/](ls|wait)\b)|client[/]src[/](?!(connect|call-routes|read-message|agent-bridge)\.ts)|domain[/]src[/])/.test(
    file,
  );
const bundle = await rolldown({
  input: { main: inRoot('packages', 'cli', 'src', 'main.ts') },
  platform: 'node',
  tsconfig: inRoot('packages', 'tsconfig.json'),
});
await bundle.write({
  dir: folder,
  format: 'esm',
  minify: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // One file, because each additional one costs a millisecond.
  codeSplitting: { groups: [{ name: 'light', test: isLight }] },
});
await bundle.close();
