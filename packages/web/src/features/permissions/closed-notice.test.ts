import { expect, it } from 'vitest';
import type { PermissionNotice } from '@liminal/contracts';
import { describeClosed } from './closed-notice.tsx';

const request = {
  requestId: 'r',
  title: 'Run\n npm test',
  options: [{ optionId: 'a', name: 'Allow once', kind: 'allow_once' }],
} as unknown as PermissionNotice['request'];

it('says how the request was answered, or why it ended', () => {
  expect(describeClosed({ state: 'answered', request, optionId: 'a' })).toBe(
    'Answered elsewhere: Allow once. Run npm test',
  );
  expect(describeClosed({ state: 'ended', request, reason: 'the turn was stopped' })).toBe(
    'Request closed (the turn was stopped): Run npm test',
  );
  expect(describeClosed({ state: 'ended', request })).toBe('Request closed: Run npm test');
});
