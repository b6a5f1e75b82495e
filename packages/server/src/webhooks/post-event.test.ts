import { expect, it } from 'vitest';
import { postEvent } from './post-event.ts';

it('waits for the name of a receiver no longer than for its answer, and not at all once it is stopped', async () => {
  const webhook = { url: 'http://hooks.example/', allowPrivate: false };
  const deps = { lookup: () => new Promise<never>(() => {}), ownPort: () => 1, timeoutMs: 1 };
  const never = new AbortController().signal;
  const late = { ok: false, message: "The name hooks.example wasn't resolved in time." };
  expect(await postEvent(webhook, {}, '{}', deps, never)).toEqual(late);
  const stopped = new AbortController();
  const sent = postEvent(webhook, {}, '{}', { ...deps, timeoutMs: 3_600_000 }, stopped.signal);
  stopped.abort();
  expect((await sent).ok).toBe(false);
});
