import type { PermissionAnswer, PermissionRequest } from '@liminal/contracts';
import type { ApiResult } from '@liminal/client/call-routes';
import type { Client } from '@liminal/client/connect';
import type { FollowedSession } from '@liminal/client/follow-session';
import { nothing } from '@liminal/domain/timeline/folded';
import { createTimeline } from '@liminal/domain/timeline/timeline';
import { expect, it, vi } from 'vitest';
import { createTerminal } from '../base/terminal.ts';
import { attachTerminal } from './attach-terminal.ts';
import type { openKeyboard } from './keyboard.ts';

const request = (requestId: string): PermissionRequest =>
  ({
    requestId,
    title: `Run ${requestId}?`,
    options: [{ optionId: 'yes', name: 'Allow once', kind: 'allow_once' }],
  }) as PermissionRequest;
const failure = (code: string): ApiResult<never> => ({ ok: false, failure: { code, message: `${code}.` } });

/** A user who is attached to a session with these requests. */
function attach(...permissions: PermissionRequest[]) {
  const written: string[] = [];
  const replies: Array<(reply: ApiResult<unknown>) => void> = [];
  const answered: string[] = [];
  const state: FollowedSession = {
    timeline: { ...createTimeline(), permissions },
    changed: nothing,
    connection: { phase: 'open' },
  };
  let news = Promise.withResolvers<void>();
  const session = {
    async *follow({ signal }: { signal: AbortSignal }) {
      signal.addEventListener('abort', () => news.resolve());
      while (!signal.aborted) {
        yield state;
        await news.promise;
        news = Promise.withResolvers();
      }
    },
    answer({ requestId }: PermissionAnswer) {
      answered.push(requestId);
      return new Promise((resolve) => replies.push(resolve));
    },
  };
  let keyboard: Parameters<typeof openKeyboard>[0] | undefined;
  const done = attachTerminal(
    { open: () => session } as unknown as Client,
    's',
    createTerminal(process.stdout, process.stderr, { NO_COLOR: '1' }, false),
    { isWholeWanted: false, mayAnswer: true },
    (handlers) => {
      keyboard = handlers;
      return { write: (text) => void written.push(text), close: () => {} };
    },
  );
  return {
    answered,
    replies,
    type: (line: string) => keyboard?.onLine(line),
    /** How often a request was asked. */
    asked: (requestId: string) => written.filter((text) => text.includes(`Run ${requestId}?`)).length,
    written,
    /** The server reports the state again. */
    report: () => news.resolve(),
    detach() {
      keyboard?.onEnd();
      return done;
    },
  };
}

it('asks a request again whose answer failed', async () => {
  const { type, asked, replies, answered, detach } = attach(request('a'));
  await vi.waitFor(() => expect(asked('a')).toBe(1));
  type('1');
  replies[0]!(failure('UNREACHABLE'));
  await vi.waitFor(() => expect(asked('a')).toBe(2));
  type('1');
  expect(answered).toEqual(['a', 'a']);
  await detach();
});

it('asks it after another one that was asked meanwhile', async () => {
  const { type, asked, replies, answered, written, report, detach } = attach(request('a'), request('b'));
  await vi.waitFor(() => expect(asked('a')).toBe(1));
  type('1');
  report();
  await vi.waitFor(() => expect(asked('b')).toBe(1));
  replies[0]!(failure('UNREACHABLE'));
  await vi.waitFor(() => expect(written.join('')).toContain('UNREACHABLE.'));
  type('1');
  report();
  await vi.waitFor(() => expect(asked('a')).toBe(2));
  expect(answered).toEqual(['a', 'b']);
  await detach();
});

it.each(['PERMISSION_CLOSED', 'PERMISSION_NOT_FOUND'])('doesn’t ask it again after %s', async (code) => {
  const { type, asked, replies, written, report, detach } = attach(request('a'));
  await vi.waitFor(() => expect(asked('a')).toBe(1));
  type('1');
  replies[0]!(failure(code));
  await vi.waitFor(() => expect(written.join('')).toContain(`${code}.`));
  report();
  await detach();
  expect(asked('a')).toBe(1);
});
