export type WaitingFrame = {
  readonly bytes: Buffer;
  /** Called when the operating system has taken the frame. */
  readonly done: (() => void) | undefined;
};

/** Frames are joined up to this length. */
const longestJoined = 64 * 1024;

/** The same bytes in fewer buffers: a stream takes longer to hand over a short buffer than to copy it. */
export function joinFrames(frames: readonly WaitingFrame[]): WaitingFrame[] {
  const joined: WaitingFrame[] = [];
  let [from, bytes] = [0, 0];
  for (const [place, frame] of frames.entries()) {
    if (bytes + frame.bytes.length > longestJoined && place > from) {
      joined.push(joinAll(frames.slice(from, place), bytes));
      [from, bytes] = [place, 0];
    }
    bytes += frame.bytes.length;
  }
  if (from < frames.length) joined.push(joinAll(frames.slice(from), bytes));
  return joined;
}

function joinAll(frames: readonly WaitingFrame[], length: number): WaitingFrame {
  const [first] = frames;
  if (first && frames.length === 1) return first;
  const listeners = frames.flatMap(({ done }) => done ?? []);
  const done = () => {
    for (const listener of listeners) listener();
  };
  const parts = frames.map(({ bytes }) => bytes);
  return { bytes: Buffer.concat(parts, length), done: listeners.length === 0 ? undefined : done };
}
