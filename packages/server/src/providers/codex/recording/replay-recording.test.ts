import { PermissionRequest, TurnEvent, UpsertObject } from '@liminal/contracts';
import { listRecordings, readRecording } from '@liminal/stand-ins/recordings';
import { describe, expect, test } from 'vitest';
import { replayedLines } from '../../acp/recording/replayed-lines.ts';
import { replayRecording } from './replay-recording.ts';

describe.each(listRecordings('codex-app-server'))('the recording %s', (file) => {
  const events = replayRecording(readRecording(file));

  // `npm run replay -- codex --update` writes them anew.
  test('CX-2: comes to what it came to before', async () => {
    const golden = replayedLines(events).map((line) => `${JSON.stringify(line)}\n`);
    await expect(golden.join('')).toMatchFileSnapshot(`./golden/${file.slice('codex-app-server/'.length)}`);
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
    }
  });

  test('contains nothing unknown to this version', () => {
    expect(events.filter((event) => event.kind === 'unknown')).toEqual([]);
  });

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
