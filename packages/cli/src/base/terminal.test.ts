import { expect, it } from 'vitest';
import { createTerminal } from './terminal.ts';

it('CL-1: writes notes and failures without letting the text in them control the terminal', () => {
  const written: string[] = [];
  const terminal = createTerminal({ write: () => {} }, { write: (text: string) => written.push(text) }, {}, false);
  terminal.note('Looks into \u001b]0;title\u0007');
  terminal.complain({ code: 'NOT_FOUND', message: 'No \u001b[2J' });
  expect(written).toEqual(['Looks into ␛]0;title␇\n', 'No ␛[2J\n']);
});
