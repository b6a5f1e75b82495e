import { join } from 'node:path';
import type { PermissionDecision } from '@liminal/contracts';
import { afterEach, expect, it, vi } from 'vitest';
import { openReader } from '../store/sqlite/open-database.ts';
import { createRecordedProgram, type RecordedProgram, type Running } from './testing/recorded-program.ts';
import { patience, testTimeout } from './testing/torture.ts';

let recorded: RecordedProgram;
afterEach(() => recorded.cleanup());

const audit = async ({ api }: Running, sessionId: string): Promise<PermissionDecision[]> =>
  (await api.call<{ decisions: PermissionDecision[] }>('GET', `/api/session/${sessionId}/audit`)).body.decisions;

it(
  'PM-4: records a request that was open when the program was killed as ended and closed',
  async () => {
    recorded = createRecordedProgram();
    const first = await recorded.start();
    const sessionId = await first.api.newSession('recording', recorded.folder);
    const { turnId } = (await first.api.send(sessionId, 'ask')).body;
    await vi.waitFor(async () => expect((await first.api.status(sessionId)).activity).toBe('waiting'), patience);
    const database = openReader(join(recorded.dataDir, 'liminal.sqlite'));
    const isWritten = () => database.prepare('SELECT 1 FROM open_requests').all().length === 1;
    await vi.waitFor(() => expect(isWritten()).toBe(true), patience);
    expect(await audit(first, sessionId)).toEqual([]);
    await first.kill();
    database.close();

    const second = await recorded.start();
    const [decision, ...others] = await audit(second, sessionId);
    expect(others).toEqual([]);
    expect(decision).toMatchObject({
      turnId,
      title: 'rm -rf build',
      outcome: 'ended',
      by: 'server',
      reason: 'Liminal Builder stopped before it was answered.',
    });
    const late = { requestId: decision?.requestId, optionId: 'yes' };
    expect((await second.api.call('POST', `/api/session/${sessionId}/permission`, late)).body.error.code).toBe(
      'PERMISSION_CLOSED',
    );
    await second.kill();
    const third = await recorded.start();
    expect(await audit(third, sessionId)).toHaveLength(1);
  },
  testTimeout,
);
