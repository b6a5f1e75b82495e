import { listRecordings, readRecording } from '@liminal/stand-ins/recordings';
import { describe, expect, test } from 'vitest';
import { replayedLines } from '../../acp/recording/replayed-lines.ts';
import { checkReplay } from '../../acp/testing/check-replay.ts';
import { replayRecording } from './replay-recording.ts';

describe.each(listRecordings('codex-app-server'))('the recording %s', (file) => {
  const events = replayRecording(readRecording(file));

  // `npm run replay -- codex --update` rewrites the golden files.
  test('CX-2: gives the same result as before', async () => {
    const golden = replayedLines(events).map((line) => `${JSON.stringify(line)}\n`);
    await expect(golden.join('')).toMatchFileSnapshot(`./golden/${file.slice('codex-app-server/'.length)}`);
  });

  checkReplay(events);

  test('reads from its record the same items as live', () => {
    const live = events.flatMap((event) => (event.kind === 'upsert' ? [event.upsert] : []));
    const finals = new Map(live.map((upsert) => [upsert.itemId, upsert]));
    const read = events.flatMap((event) => (event.kind === 'history' ? event.history.entries : []));
    for (const { upsert } of read) {
      const known = finals.get(upsert.itemId);
      if (known?.type === 'tool_call' && upsert.type === 'tool_call' && known.status === 'complete')
        expect({ output: upsert.toolOutput, name: upsert.toolName }).toEqual({
          output: known.toolOutput,
          name: known.toolName,
        });
    }
  });
});
