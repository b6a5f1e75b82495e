import { readFileSync } from 'node:fs';
import { type RecordedLine, replayRecording } from './replay-recording.ts';
import { replayedLines } from './replayed-lines.ts';

/** `node replay-command.ts FILE…` prints the results of ACP recordings, one JSON value per line. */
for (const path of process.argv.slice(2)) {
  const rows = readFileSync(path, 'utf8').split('\n');
  const recorded = rows.filter((row) => row.trim() !== '').map((row) => JSON.parse(row) as RecordedLine);
  for (const line of replayedLines(replayRecording(recorded))) process.stdout.write(`${JSON.stringify(line)}\n`);
}
