import { readFileSync, writeSync } from 'node:fs';
import { replayRecording } from './replay-recording.ts';

/** `node replay-command.ts FILE…` prints the results of Claude Code recordings, one JSON value per line. */
for (const path of process.argv.slice(2)) {
  for (const line of replayRecording(readFileSync(path, 'utf8'))) writeSync(1, `${JSON.stringify(line)}\n`);
}
