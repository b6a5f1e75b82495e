import { expect, test } from 'vitest';
import { platformProblem } from './platform.mjs';

test('suggests WSL on Windows before trying anything else', () => {
  expect(platformProblem('win32', '24.1.0')).toMatch(/WSL.*wsl --install/);
});

test('names a Node that is too old, and where to get a newer one', () => {
  expect(platformProblem('linux', '18.20.4')).toMatch(/you have 18\.20\.4.*nodejs\.org/);
});

test.each(['linux', 'darwin', 'freebsd'])('accepts %s with Node 20 or newer', (platform) => {
  expect(platformProblem(platform, '20.0.0')).toBeUndefined();
});
