import { describe, expect, it } from 'vitest';
import { listRecordings, readHistory, readRecording } from './recordings.ts';

describe('recordings', () => {
  it.each(listRecordings('claude'))('%s begins with what was sent', (path) => {
    const lines = readRecording(path);
    expect(lines[0]?.kind).toBe('send');
    expect(lines.at(-1)?.kind).toMatch(/^stream-(ended|threw)$/);
  });

  it.each([...listRecordings('codex'), ...listRecordings('codex-app-server'), ...listRecordings('other-agents')])(
    '%s starts with initialize',
    (path) => {
      const lines = readRecording(path);
      expect(lines[0]).toMatchObject({ dir: 'client->agent', msg: { method: 'initialize' } });
      expect(lines.map(({ ms }) => ms)).toEqual(lines.map(({ ms }) => ms).toSorted((a, b) => a - b));
    },
  );

  it('has every recording of the four kinds', () => {
    expect(listRecordings('claude')).toHaveLength(18);
    expect(listRecordings('codex')).toHaveLength(29);
    expect(listRecordings('codex-app-server')).toHaveLength(15);
    expect(listRecordings('other-agents')).toHaveLength(8);
  });

  it('reads a history separately, and rejects it as a recording', () => {
    const path = 'claude/history-of-tool-allowed.jsonl';
    expect(readHistory(path).map(({ type }) => type)).toContain('assistant');
    expect(() => readRecording(path)).toThrow(`${path}:1`);
  });
});
