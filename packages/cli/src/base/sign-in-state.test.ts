import { expect, it } from 'vitest';
import { seemsSignedIn } from './sign-in-state.ts';

const there = (...files: string[]) => ({
  env: {},
  home: '/home/ada',
  platform: 'linux',
  exists: (file: string) => files.includes(file),
});

it('PK-3: detects a sign-in by its file or a key, and reports when it can’t tell', () => {
  expect(seemsSignedIn('claude-code', there('/home/ada/.claude/.credentials.json'))).toBe(true);
  expect(seemsSignedIn('codex', { ...there('/c/auth.json'), env: { CODEX_HOME: '/c' } })).toBe(true);
  expect(seemsSignedIn('codex', { ...there(), env: { OPENAI_API_KEY: 'k' } })).toBe(true);
  expect(seemsSignedIn('codex', { ...there(), env: { OPENAI_API_KEY: '' } })).toBe(false);
  expect(seemsSignedIn('claude-code', there())).toBe(false);
  expect(seemsSignedIn('claude-code', { ...there(), platform: 'darwin' })).toBeUndefined();
  expect(seemsSignedIn('constructor', there())).toBeUndefined();
});
