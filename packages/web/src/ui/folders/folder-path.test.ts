import { describe, expect, it } from 'vitest';
import { joinPath, splitPath, wholePath } from './folder-path.ts';

describe('folder paths', () => {
  it.each([
    ['/home/you/pro', '/home/you/', 'pro'],
    ['/home/you/', '/home/you/', ''],
    ['~/pro', '~/', 'pro'],
    ['pro', '', 'pro'],
    ['', '', ''],
  ])('splits %s', (typed, folder, prefix) => expect(splitPath(typed)).toEqual({ folder, prefix }));

  it('go one folder down', () => {
    expect(joinPath('/home/you', 'project')).toBe('/home/you/project/');
    expect(joinPath('/', 'home')).toBe('/home/');
    expect(joinPath('C:\\you', 'project')).toBe('C:\\you\\project\\');
  });

  it('are normalised when they are sent', () => {
    expect(wholePath('~/project/', '/home/you')).toBe('/home/you/project');
    expect(wholePath('~', '/home/you')).toBe('/home/you');
    expect(wholePath('/', '')).toBe('/');
    expect(wholePath('/a/~b', '/home/you')).toBe('/a/~b');
  });
});
