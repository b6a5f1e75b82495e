import { describe, expect, test } from 'vitest';
import { parseAcceptance } from './acceptance.ts';
import { citationsInBench, citationsInTests } from './citations.ts';
import { report } from './report.ts';

const page = (...rows: string[]) =>
  ['Claimed through milestone: 2', '| id | case | milestone |', '|---|---|---|', ...rows].join('\n');
const ids = (source: string) => citationsInTests('a.test.ts', source).map(({ id }) => id);

describe('parseAcceptance', () => {
  test('reads ids, texts and milestones', () => {
    expect(parseAcceptance(page('| TC-1.1a | some words | 1 |', '| NFR-3 | others | 7 |'))).toEqual({
      claimedThrough: 2,
      cases: [
        { id: 'TC-1.1a', words: 'some words', milestone: 1 },
        { id: 'NFR-3', words: 'others', milestone: 7 },
      ],
    });
  });
  test.each([
    ['nothing claimed', '| TC-1.1a | words | 1 |', /Claimed through/],
    ['a doubled id', page('| TC-1.1a | x | 1 |', '| TC-1.1a | y | 1 |'), /twice/],
    ['a range', page('| TC-1.1a–c | x | 1 |'), /not an id/],
    ['no milestone', page('| TC-1.1a | x | |'), /milestone/],
  ])('refuses %s', (_, markdown, sentence) => {
    expect(() => parseAcceptance(markdown)).toThrow(sentence);
  });
});

describe('citationsInTests', () => {
  test('reads titles of tests and describes, one or several ids', () => {
    expect(ids(`describe('PM-1: x', () => { test("TC-7.1a TC-7.2b: y", f); it.only(\`in TC-6.4, z\`, f) })`)).toEqual([
      'PM-1',
      'TC-7.1a',
      'TC-7.2b',
      'TC-6.4',
    ]);
  });
  test('reads tables of cases and the title after each', () => {
    expect(ids(`test.each([{ name: 'TC-5.1a: x' }])('TC-5.1b: $name', f)`)).toEqual(['TC-5.1a', 'TC-5.1b']);
  });
  test('ignores comments, other strings, skipped tests and tests to be written', () => {
    expect(
      ids(`// test('TC-1.1a')\n/* 'TC-1.1b' */ f('see TC-1.1c'); test.skip('TC-1.1d', f); it.todo('TC-1.1e')`),
    ).toEqual([]);
  });
  test('an abbreviated range is not an id', () => {
    expect(ids(`test('TC-5.2a–f: x', f)`)).toEqual(['TC-5.2a–f']);
  });
});

test('citationsInBench reads ids of cases about figures in any string', () => {
  expect(citationsInBench('b.ts', `row('budget of NFR-3', 'TC-1.1a') // 'NFR-4'`).map(({ id }) => id)).toEqual([
    'NFR-3',
  ]);
});

describe('report', () => {
  const acceptance = parseAcceptance(page('| TC-1.1a | x | 1 |', '| TC-1.1b | y | 2 |', '| PM-1 | z | 5 |'));
  const cite = (id: string) => ({ id, file: 'a.test.ts', title: `${id}: t` });

  test('passes when each due case is cited', () => {
    const { lines, problems } = report(acceptance, [cite('TC-1.1a'), cite('TC-1.1b')]);
    expect(problems).toEqual([]);
    expect(lines).toContain('TC-1.1a (shown): x');
    expect(lines).toContain('    a.test.ts: TC-1.1a: t');
    expect(lines).toContain('PM-1 (to come in milestone 5): z');
  });
  test('names a due case that nothing cites, and a citation of an unknown id', () => {
    const { problems } = report(acceptance, [cite('TC-1.1a'), cite('TC-9.9z')]);
    expect(problems).toEqual([expect.stringMatching(/^TC-1\.1b is due/), expect.stringMatching(/cites TC-9\.9z/)]);
  });
});
