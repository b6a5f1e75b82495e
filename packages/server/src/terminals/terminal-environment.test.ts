import { describe, expect, it } from 'vitest';
import { personShell, terminalEnvironment, withCommandMarks } from './terminal-environment.ts';

describe('the environment of a terminal', () => {
  it("is the user's, without our secrets, npm's additions and agents' variables", () => {
    const env = {
      HOME: '/home/me',
      MY_KEY: 'mine',
      TERM: 'dumb',
      LIMINAL_TOKEN: 'secret',
      npm_config_cache: '/x',
      CLAUDECODE: '1',
      EMPTY: undefined,
    };
    expect(terminalEnvironment(env)).toEqual({
      HOME: '/home/me',
      MY_KEY: 'mine',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
    });
  });
});

describe("the user's shell", () => {
  it.each([
    ['their own', { SHELL: '/bin/sh' }, '/bin/bash', '/bin/sh'],
    ['that of their account', {}, '/bin/sh', '/bin/sh'],
    ['a common one if theirs starts nothing', { SHELL: '/usr/sbin/nologin' }, '/bin/false', '/bin/bash'],
    ['a common one if theirs is missing', { SHELL: '/nowhere/zsh' }, null, '/bin/bash'],
  ])('is %s', (_, env, own, shell) => {
    expect(personShell(env, () => own)).toBe(shell);
  });
});

describe('the marks of commands', () => {
  it('are enabled in bash, in addition to the user’s own prompt command', () => {
    const { PROMPT_COMMAND, PS0 } = withCommandMarks('/usr/bin/bash', { PROMPT_COMMAND: 'mine', PS0: 'x' });
    expect(PROMPT_COMMAND).toMatch(/^printf '.*133;D.*133;A.*; mine$/);
    expect(PS0).toMatch(/^x.*133;C/);
    expect(withCommandMarks('/usr/bin/zsh', { A: '1' })).toEqual({ A: '1' });
  });
});
