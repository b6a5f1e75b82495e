import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TurnEvent, UpsertObject } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { replayRecording } from './replay-recording.ts';

const recordings = fileURLToPath(new URL('../../../../../stand-ins/recordings/claude/', import.meta.url));
const golden = fileURLToPath(new URL('./golden/', import.meta.url));
const names = readdirSync(recordings).filter((name) => name.endsWith('.jsonl'));

describe('every recording matches its golden file', () => {
  it.each(names)('%s', (name) => {
    const lines = replayRecording(readFileSync(`${recordings}${name}`, 'utf8')).map((line) => JSON.stringify(line));
    expect(lines, 'wanted? then run: npm run replay -- claude-code --update').toEqual(
      readFileSync(`${golden}${name}`, 'utf8').trimEnd().split('\n'),
    );
  });
});

describe('every recording follows the contract', () => {
  it.each(names)('%s: valid shapes, one start and one terminal per turn, text that never shrinks', (name) => {
    const lines = replayRecording(readFileSync(`${recordings}${name}`, 'utf8'));
    const turns = new Map<string, string[]>();
    const texts = new Map<string, string>();
    for (const line of lines) {
      if ('turn' in line) {
        const event = TurnEvent.parse(line.turn);
        turns.set(event.turnId, [...(turns.get(event.turnId) ?? []), event.type]);
      } else {
        const upsert = UpsertObject.parse(line.upsert);
        expect(upsert.itemId.startsWith(`${upsert.turnId}:`)).toBe(true);
        expect(turns.has(upsert.turnId), 'turn_started comes first').toBe(true);
        if (upsert.type !== 'message' && upsert.type !== 'thinking') continue;
        expect(upsert.content.startsWith(texts.get(upsert.itemId) ?? '')).toBe(true);
        texts.set(upsert.itemId, upsert.content);
      }
    }
    for (const events of turns.values()) {
      expect(events).toEqual(['turn_started', expect.stringMatching(/^turn_(complete|error)$/)]);
    }
  });
});
