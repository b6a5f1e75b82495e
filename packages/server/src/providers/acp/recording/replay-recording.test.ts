import { PermissionRequest, TurnEvent, UpsertObject } from '@liminal/contracts';
import { listRecordings, readRecording } from '@liminal/stand-ins/recordings';
import { describe, expect, test } from 'vitest';
import { replayRecording } from './replay-recording.ts';
import { replayedLines } from './replayed-lines.ts';

const files = [...listRecordings('codex'), ...listRecordings('other-agents')];

describe.each(files)('the recording %s', (file) => {
  const events = replayRecording(readRecording(file));

  // `npm run replay -- acp --update` writes them anew.
  test('gives the same result as before', async () => {
    const golden = replayedLines(events).map((line) => `${JSON.stringify(line)}\n`);
    await expect(golden.join('')).toMatchFileSnapshot(`./golden/${file}`);
  });

  test('emits only what the contracts allow', () => {
    for (const event of events) {
      if (event.kind === 'upsert') UpsertObject.parse(event.upsert);
      if (event.kind === 'turn') TurnEvent.parse(event.event);
      if (event.kind === 'permission') PermissionRequest.parse(event.request);
    }
  });

  test('has one start and one terminal per turn, and each item is created and ended at most once', () => {
    const turns = events.flatMap((event) => (event.kind === 'turn' ? [event.event] : []));
    for (const events of Map.groupBy(turns, (event) => event.turnId).values()) {
      expect(events.map((event) => event.type === 'turn_started')).toEqual([true, false]);
    }
    const upserts = events.flatMap((event) => (event.kind === 'upsert' ? [event.upsert] : []));
    for (const states of Map.groupBy(upserts, (upsert) => upsert.itemId).values()) {
      expect(states.slice(1).map((state) => state.status)).not.toContain('create');
      expect(states.slice(0, -1).map((state) => state.status)).not.toContain('complete');
      expect(states.slice(0, -1).map((state) => state.status)).not.toContain('error');
    }
  });

  test('contains nothing unknown to this version', () => {
    expect(events.filter((event) => event.kind === 'unknown')).toEqual([]);
  });
});
