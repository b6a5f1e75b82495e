import { snippetMarks } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { withoutMarkup } from './snippet.ts';

const { start, end } = snippetMarks;

describe('a snippet without markup', () => {
  it.each([
    ['## The **limit** of `npm test`', 'The limit of npm test'],
    ['see [the docs](https://x.test/a) and ![a picture](b.png)', 'see the docs and a picture'],
    [`**${start}limit${end}er** trips`, `${start}limit${end}er trips`],
    ['it is *very* _slow_, ~~not~~ fast', 'it is very slow, not fast'],
    ['snake_case_name and a - b > c # 3', 'snake_case_name and a - b > c 3'],
  ])('%j reads as %j', (given, expected) => expect(withoutMarkup(given)).toBe(expected));
});
