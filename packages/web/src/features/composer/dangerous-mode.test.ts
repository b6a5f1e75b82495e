import { expect, it } from 'vitest';
import { isDangerous } from './dangerous-mode.ts';

it.each([
  ['bypassPermissions', 'Bypass permissions'],
  ['danger-full-access', 'Full access'],
  ['yolo', 'YOLO'],
])('%s is asked about', (id, name) => expect(isDangerous({ id, name })).toBe(true));

it.each([
  ['default', 'Ask first'],
  ['acceptEdits', 'Accept edits'],
  ['plan', 'Plan'],
  ['read-only', 'Read only'],
])('%s is not', (id, name) => expect(isDangerous({ id, name })).toBe(false));
