import { expect, test } from 'vitest';
import type { ProcessCommand } from './process-marker.ts';
import { becoming } from './shell-instructions.ts';

const command = { command: '/bin/agent', args: ['--flag', 'a b'], cwd: '/here', env: { PATH: '/bin', KEY: 'new' } };

test('names the folder, the variables that differ, the program and its arguments', () => {
  expect(becoming(command, { PATH: '/bin', KEY: 'old', GONE: '1' })?.split('\n')).toEqual([
    'cd /here',
    'set KEY=new',
    'unset GONE',
    'unset PWD',
    'unset OLDPWD',
    'unset SHLVL',
    'word /bin/agent',
    'word --flag',
    'word a b',
    'exec',
    '',
  ]);
});

test.each<[string, Partial<ProcessCommand>]>([
  ['a line break in an argument', { args: ['a\nexec'] }],
  ['a line break in the folder', { cwd: '/a\nb' }],
  ['a line break in a variable', { env: { A: 'x\ny' } }],
  ['a NUL', { args: ['a\0b'] }],
  ['a variable that shells drop', { env: { 'npm_config_a:b': '1' } }],
  ['a variable that shells keep to themselves', { env: { UID: '1' } }],
])('leaves %s to an ordinary start', (_name, given) => {
  expect(becoming({ ...command, ...given }, {})).toBeNull();
});

test('also if only the shell itself has a variable that it would have to remove but can’t name', () => {
  expect(becoming(command, { 'a-b': '1' })).toBeNull();
});
