import { tmpdir } from 'node:os';
import { fail, ok } from '@liminal/contracts';
import { expect, it, vi } from 'vitest';
import type { PtyHost } from './pty/pty.ts';
import { createTerminalService, type TerminalServiceDeps } from './terminal-service.ts';
import { createFakePty } from './testing/fake-pty.ts';

const program = { command: '/bin/sh', args: [], cwd: '/', env: {} };
const size = { cols: 80, rows: 24 };
const about = { kind: 'shell', projectId: 'p', title: 'sh' } as const;

/** A service whose only terminal opens when the test lets it. */
function setup(projects: TerminalServiceDeps['projects'] = { get: () => fail('PROJECT_NOT_FOUND', 'none') }) {
  const pty = createFakePty();
  const opening = Promise.withResolvers<typeof pty>();
  const open = vi.fn<PtyHost['open']>(() => opening.promise);
  const service = createTerminalService({
    host: () => Promise.resolve({ open, close: () => Promise.resolve() }),
    projects,
    env: () => ({}),
    now: () => '2026-01-01T00:00:00.000Z',
    newId: () => 't',
  });
  return { pty, open, service, letOpen: () => opening.resolve(pty) };
}

it('closing ends a terminal that is just opening, and opens no more', async () => {
  const { pty, open, service, letOpen } = setup();
  const started = service.start(about, program, size);
  await vi.waitFor(() => expect(open).toHaveBeenCalled());
  const closing = service.close();
  letOpen();
  await closing;
  expect(pty.isRunning).toBe(false);
  expect(await started).toMatchObject({ ok: true });
  expect(await service.start(about, program, size)).toMatchObject({ ok: false });
  expect(open).toHaveBeenCalledTimes(1);
});

it('ends a terminal that was just opening when its project was removed', async () => {
  let isThere = true;
  const project = { projectId: 'p', dir: tmpdir(), name: 'p', trusted: true };
  const { pty, open, service, letOpen } = setup({
    get: () => (isThere ? ok(project) : fail('PROJECT_NOT_FOUND', 'none')),
  });
  const opened = service.open('p', {});
  await vi.waitFor(() => expect(open).toHaveBeenCalled());
  isThere = false;
  await service.removeOf('p');
  letOpen();
  expect(await opened).toMatchObject({ ok: false, failure: { code: 'PROJECT_NOT_FOUND' } });
  expect([pty.isRunning, service.all()]).toEqual([false, []]);
});
