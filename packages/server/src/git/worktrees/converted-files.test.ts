import { expect, it } from 'vitest';
import { mayBeConverted } from './converted-files.ts';

it.each([
  ['i/lf    w/lf    attr/                 ', false],
  ['i/none  w/none  attr/                 ', false],
  ['i/lf    w/lf    attr/text=auto        ', false],
  ['i/lf    w/lf    attr/text eol=lf      ', false],
  ['i/-text w/-text attr/text=auto        ', false],
  ['i/crlf  w/crlf  attr/-text            ', true],
  ['i/-text w/-text attr/-text            ', false],
  ['i/lf    w/lf    attr/text eol=crlf    ', true],
  ['i/-text w/-text attr/text             ', true],
  ['i/lf    w/crlf  attr/text=auto        ', true],
  ['i/mixed w/mixed attr/                 ', true],
  ['i/crlf  w/crlf  attr/                 ', true],
  ['i/lf    w/      attr/                 ', true],
  ['i/      w/      attr/                 ', false],
])('knows from "%s" whether a checkout could write other bytes', (about, expected) => {
  expect(mayBeConverted(about)).toBe(expected);
});
