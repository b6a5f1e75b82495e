import type { LineRange } from '../../../rendering/diff/line-ref.ts';

/** "line 17", "lines 19–20, before". */
export const linesText = ({ side, from, to }: LineRange): string =>
  `${from === to ? `line ${from}` : `lines ${from}–${to}`}${side === 'old' ? ', before' : ''}`;
