import { expect, it } from 'vitest';
import { nowNs, stamp, stampsIn } from './stamp.ts';

it('finds every stamp in a frame', () => {
  const before = nowNs();
  const found = [...stampsIn(`{"text":"${stamp('ours', 3)} some words${stamp('bare', 12)}"}`)];
  expect(found).toMatchObject([
    { side: 'ours', round: 3 },
    { side: 'bare', round: 12 },
  ]);
  expect(found[0]?.ns).toBeGreaterThanOrEqual(before);
});
