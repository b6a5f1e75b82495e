import { describe, expect, it } from 'vitest';
import { openAskOf } from './open-ask.ts';
import { permission } from './testing/play-session.ts';

const ask = (toolArguments: Record<string, unknown>, part: object = {}) =>
  openAskOf([{ ...permission('p1', 't'), toolArguments, ...part }]);

describe('the open request in a list', () => {
  it('is the oldest one, with the number of open requests', () => {
    expect(openAskOf([])).toBeUndefined();
    expect(openAskOf([permission('p1', 't'), permission('p2', 't')])).toMatchObject({ requestId: 'p1', count: 2 });
  });

  it('can be answered in the list only if it shows everything that would run', () => {
    const whole = ask({ command: 'npm test', description: 'Runs the tests' });
    expect(whole).toMatchObject({ whole: 'npm test', options: [{ optionId: 'yes' }, { optionId: 'no' }] });
    for (const hidden of [
      ask({ command: 'npm test', cwd: '/elsewhere' }),
      ask({ command: 'npm test', dangerouslyDisableSandbox: true }),
      ask({ command: 'ls\nrm -rf .' }),
      ask({ command: `ls ${'a'.repeat(200)}` }),
      ask({ command: 'ls \u202e' }),
      ask({ command: 'ls' }, { diffs: [{ path: 'a', oldText: null, newText: 'b' }] }),
      ask({ file_path: 'a' }),
      ask({ command: 'ls' }, { kind: 'plan' }),
    ]) {
      expect(hidden?.whole).toBeUndefined();
      expect(hidden?.options).toEqual([]);
    }
  });
});
