import { ackEveryBytes } from '@liminal/domain/terminal/output-frame';
import type { Screen } from '../../rendering/terminal-emulator.ts';
import type { TerminalView } from '../../state/terminals/terminal-store.ts';

export type FollowedTerminal = TerminalView & {
  /** Whether the emulator may answer the program's queries in the output it is showing. */
  mayAnswer(): boolean;
};

/**
 * Writes the output of a terminal to a screen in order, and acknowledges it. Queries in a replay get no answer: they
 * were answered before.
 */
export function followTerminal(screen: Screen, ack: (offset: number) => void): FollowedTerminal {
  let position: number | undefined;
  let shown = 0;
  let acked = 0;
  let replayEnd = 0;
  let isAttaching = true;
  let answers = false;

  const show = (bytes: Uint8Array, end: number): void =>
    screen.write(bytes, () => {
      shown = end;
      if (shown < acked + ackEveryBytes) return;
      acked = shown;
      ack(shown);
    });

  return {
    position: () => position,
    onAttach() {
      isAttaching = true;
    },
    onState(state) {
      const startsOver = state.offset !== position;
      if (startsOver) {
        screen.clear();
        position = state.offset;
        shown = acked = state.offset;
      }
      if (startsOver || isAttaching) replayEnd = state.end;
      isAttaching = false;
      answers = state.answers;
      screen.setSize(state.cols, state.rows);
    },
    onOutput({ kind, offset, output }) {
      if (kind === 'modes') return screen.write(output, () => {});
      // Output that doesn't follow is useless; a new state comes before anything else.
      if (offset !== position) return;
      position = offset + output.length;
      const replayed = Math.min(Math.max(replayEnd - offset, 0), output.length);
      if (replayed > 0) show(output.subarray(0, replayed), offset + replayed);
      if (replayed < output.length) show(output.subarray(replayed), position);
    },
    mayAnswer: () => answers && shown >= replayEnd,
  };
}
