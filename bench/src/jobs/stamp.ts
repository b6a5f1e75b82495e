export type Side = 'ours' | 'bare';

/** Nanoseconds of a clock that all processes of this machine share. */
export const nowNs = (): number => Number(process.hrtime.bigint());

/** Text that contains the side, the round and the time it was sent. */
export const stamp = (side: Side, round: number, ns = nowNs()): string => `@${side}|${round}|${ns};`;

const pattern = /@(ours|bare)\|(\d+)\|(\d+);/g;

/** Every stamp in a frame: joined updates have several. */
export function* stampsIn(text: string): Generator<{ side: Side; round: number; ns: number }> {
  for (const [, side, round, ns] of text.matchAll(pattern)) {
    yield { side: side as Side, round: Number(round), ns: Number(ns) };
  }
}
