import { expect, test } from 'vitest';
import { closedByHistory, noteClosed } from './closed-permissions.ts';
import { permission } from './testing/messages.ts';

test('the newest twenty are kept, newest last', () => {
  const notices = Array.from({ length: 25 }, (_, at) => ({ state: 'ended' as const, request: permission(`p${at}`) }));
  const kept = noteClosed(notices.slice(0, 20), notices.slice(20));
  expect(kept.map((notice) => notice.request.requestId)).toEqual(notices.slice(5).map((one) => one.request.requestId));
});

test('what is open here and not there has ended', () => {
  const [p, q, r] = [permission('p'), permission('q'), permission('r')];
  expect(closedByHistory([p, q], [q, r])).toEqual([{ state: 'ended', request: p }]);
});
