import { describe, expect, it } from 'vitest';
import { decodeOutputFrame, encodeFrameHead } from './output-frame.ts';

describe('a frame of terminal output', () => {
  it('has the kind, the length of the id, the id and the offset before the output', () => {
    const head = encodeFrameHead({ kind: 'output', terminalId: 'ab', offset: 2 ** 40 + 5 });
    expect([...head]).toEqual([1, 2, 97, 98, 0, 0, 1, 0, 0, 0, 0, 5]);
  });

  it('is read back as it was written, also from the middle of a larger buffer', () => {
    const given = { kind: 'modes', terminalId: 't-1', offset: 300, output: Uint8Array.of(27, 91) } as const;
    const larger = Uint8Array.of(...Array.from({ length: 9 }, () => 0), ...encodeFrameHead(given), ...given.output);
    expect(decodeOutputFrame(larger.subarray(9))).toEqual(given);
  });

  it.each([[[]], [[1]], [[1, 3, 97]], [[9, 0, 0, 0, 0, 0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]])(
    'is rejected if it is truncated or of an unknown kind: %j',
    (bytes) => {
      expect(decodeOutputFrame(Uint8Array.from(bytes))).toBeNull();
    },
  );
});
