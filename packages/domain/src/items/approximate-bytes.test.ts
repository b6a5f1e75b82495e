import fc from 'fast-check';
import { expect, test } from 'vitest';
import { approximateBytes } from './approximate-bytes.ts';
import { createScriptedSession } from '../delivery/testing/scripted-session.ts';

test('is close to the real size for any state of a session', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ what: fc.nat(11), which: fc.nat(9), size: fc.nat(60) }), { maxLength: 40, size: 'max' }),
      (script) => {
        const session = createScriptedSession();
        for (const body of script.flatMap((step) => session(step) ?? [])) {
          const real = JSON.stringify(body.payload).length;
          const estimate = approximateBytes(body);
          expect(estimate).toBeGreaterThan(real * 0.8);
          expect(estimate).toBeLessThan(real * 1.5 + 150);
        }
      },
    ),
    { numRuns: 30 },
  );
});
