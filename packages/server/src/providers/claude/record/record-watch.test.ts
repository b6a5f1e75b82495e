import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRecordWatch } from './record-watch.ts';

const typedInTerminal = JSON.stringify({
  type: 'user',
  entrypoint: 'cli',
  uuid: '7d5b4a5e-2f43-4a51-8f1c-6f0d1a4f9d10',
  message: { role: 'user', content: 'said in a terminal' },
});

describe('watching the record of a session', () => {
  let dir: string;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    dir = mkdtempSync(join(tmpdir(), 'liminal-record-'));
  });
  afterEach(() => {
    vi.useRealTimers();
    rmSync(dir, { recursive: true });
  });

  test('finds and watches a record that is written only later', async () => {
    const path = join(dir, 'record.jsonl');
    let looks = 0;
    const onForeign = vi.fn<() => void>();
    const watch = createRecordWatch({
      findRecord: async () => {
        looks += 1;
        if (looks < 5) return undefined;
        writeFileSync(path, `${typedInTerminal}\n`);
        return path;
      },
      isKnown: false,
      onForeign,
    });
    watch.start();
    // The clock is fake, the disk isn't: each step lets both continue.
    const until = vi.getRealSystemTime() + 20_000;
    while (onForeign.mock.calls.length === 0 && vi.getRealSystemTime() < until) {
      await vi.advanceTimersByTimeAsync(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(onForeign).toHaveBeenCalledOnce();
    watch.close();
  });

  test('stops looking for a record that never appears', async () => {
    const findRecord = vi.fn<() => Promise<string | undefined>>(async () => undefined);
    const watch = createRecordWatch({ findRecord, isKnown: false, onForeign: () => {} });
    watch.start();
    await vi.advanceTimersByTimeAsync(60_000);
    const looks = findRecord.mock.calls.length;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(findRecord).toHaveBeenCalledTimes(looks);
    watch.close();
  });
});
