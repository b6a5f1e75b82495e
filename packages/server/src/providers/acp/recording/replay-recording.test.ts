import { listRecordings, readRecording } from '@liminal/stand-ins/recordings';
import { describe, expect, test } from 'vitest';
import { checkReplay } from '../testing/check-replay.ts';
import { replayRecording } from './replay-recording.ts';
import { replayedLines } from './replayed-lines.ts';

const files = [...listRecordings('codex'), ...listRecordings('other-agents')];

describe.each(files)('the recording %s', (file) => {
  const events = replayRecording(readRecording(file));

  // `npm run replay -- acp --update` rewrites the golden files.
  test('gives the same result as before', async () => {
    const golden = replayedLines(events).map((line) => `${JSON.stringify(line)}\n`);
    await expect(golden.join('')).toMatchFileSnapshot(`./golden/${file}`);
  });

  checkReplay(events);
});
