import { fail } from '@liminal/contracts';
import { expect, it, vi } from 'vitest';
import type { PtyHost } from './pty/pty.ts';
import { createTerminalService } from './terminal-service.ts';
import { createFakePty } from './testing/fake-pty.ts';

const program = { command: '/bin/sh', args: [], cwd: '/', env: {} };
const size = { cols: 80, rows: 24 };
const about = { kind: 'shell', projectId: 'p', title: 'sh' } as const;

it('closing ends a terminal that is just opening, and opens no more', async () => {
  const pty = createFakePty();
  const opening = Promise.withResolvers<typeof pty>();
  const open = vi.fn<PtyHost['open']>(() => opening.promise);
  const service = createTerminalService({
    host: () => Promise.resolve({ open, close: () => Promise.resolve() }),
    projects: { get: () => fail('PROJECT_NOT_FOUND', 'none') },
    env: () => ({}),
    now: () => '2026-01-01T00:00:00.000Z',
    newId: () => 't',
  });
  const started = service.start(about, program, size);
  await vi.waitFor(() => expect(open).toHaveBeenCalled());
  const closing = service.close();
  opening.resolve(pty);
  await closing;
  expect(pty.isRunning).toBe(false);
  expect(await started).toMatchObject({ ok: true });
  expect(await service.start(about, program, size)).toMatchObject({ ok: false });
  expect(open).toHaveBeenCalledTimes(1);
});
