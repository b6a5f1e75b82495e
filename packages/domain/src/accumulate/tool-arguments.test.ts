import { describe, expect, it } from 'vitest';
import { parseToolArguments } from './tool-arguments.ts';

describe('tool arguments', () => {
  it('reads an object', () => {
    expect(parseToolArguments('{"path":"a.ts","lines":[1,2]}')).toEqual({ path: 'a.ts', lines: [1, 2] });
  });

  it.each(['', '{"path":', 'null', '[1]', '"text"', '7', 'undefined'])('makes {} of %j', (json) => {
    expect(parseToolArguments(json)).toEqual({});
  });
});
