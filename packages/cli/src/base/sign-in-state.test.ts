import { expect, it } from 'vitest';
import { seemsSignedIn } from './sign-in-state.ts';

const there = (...files: string[]) => ({
  env: {},
  home: '/home/ada',
  platform: 'linux',
  exists: (file: string) => files.includes(file),
});

it('PK-3: finds a sign-in by its file or by a key, and says where it cannot tell', () => {
  expect(seemsSignedIn('claude-code', there('/home/ada/.claude/.credentials.json'))).toBe(true);
  expect(seemsSignedIn('codex', { ...there('/c/auth.json'), env: { CODEX_HOME: '/c' } })).toBe(true);
  expect(seemsSignedIn('codex', { ...there(), env: { OPENAI_API_KEY: 'k' } })).toBe(true);
  expect(seemsSignedIn('codex', { ...there(), env: { OPENAI_API_KEY: '' } })).toBe(false);
  expect(seemsSignedIn('claude-code', there())).toBe(false);
  expect(seemsSignedIn('claude-code', { ...there(), platform: 'darwin' })).toBeUndefined();
  expect(seemsSignedIn('constructor', there())).toBeUndefined();
});
