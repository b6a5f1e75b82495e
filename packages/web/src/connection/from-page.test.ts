import { expect, test } from 'vitest';
import { fromPage } from './from-page.ts';

test.each([
  ['/', '/api/health'],
  ['/agents/', '/agents/api/health'],
  ['/agents/index.html', '/agents/api/health'],
])('seen from %s', (page, address) => {
  expect(fromPage('/api/health', page)).toBe(address);
});
