import { expect, test } from 'vitest';
import { platformProblem } from './platform.mjs';

test('on Windows, WSL is suggested before anything else is tried', () => {
  expect(platformProblem('win32', '24.1.0')).toMatch(/WSL.*wsl --install/);
});

test('a Node that is too old is named, with where to get a newer one', () => {
  expect(platformProblem('linux', '18.20.4')).toMatch(/you have 18\.20\.4.*nodejs\.org/);
});

test.each(['linux', 'darwin', 'freebsd'])('%s with a Node from 20 on is fine', (platform) => {
  expect(platformProblem(platform, '20.0.0')).toBeUndefined();
});
