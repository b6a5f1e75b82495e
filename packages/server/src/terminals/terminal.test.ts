import { decodeOutputFrame } from '@liminal/domain/terminal/output-frame';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PtyExit } from './pty/pty.ts';
import { createTerminal, type Attachment, type ReaderState, type Terminal } from './terminal.ts';
import { createFakePty } from './testing/fake-pty.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limits = {
  keepBytes: 1_000,
  windowBytes: 100,
  frameBytes: 40,
  gatherMs: 4,
  stalledMs: 3_000,
  unreadBytes: 500,
  restMs: 50,
};
const size = { cols: 80, rows: 24 };

function setup() {
  const pty = createFakePty();
  const onChanged = vi.fn();
  const terminal = createTerminal({ terminalId: 't1', pty, size, onChanged, limits });
  const print = async (text: string) => {
    pty.print(text);
    await vi.advanceTimersByTimeAsync(10);
  };
  return { pty, terminal, onChanged, print };
}

/** A browser that shows what it receives, and acknowledges it unless told otherwise. */
function look(terminal: Terminal, { offset, acks = true }: { offset?: number; acks?: boolean } = {}) {
  const states: ReaderState[] = [];
  const exits: PtyExit[] = [];
  const seen = { text: '', modes: '', position: offset ?? 0 };
  let attachment: Attachment | undefined;
  attachment = terminal.attach(
    {
      state(state) {
        states.push(state);
        if (state.offset !== seen.position) Object.assign(seen, { text: '', position: state.offset });
      },
      output(head, output) {
        const frame = decodeOutputFrame(Buffer.concat([head, output]));
        if (!frame || frame.terminalId !== 't1') throw new Error('not a frame of this terminal');
        if (frame.kind === 'modes') return void (seen.modes += String.fromCharCode(...frame.output));
        expect(frame.offset).toBe(seen.position);
        seen.text += String.fromCharCode(...frame.output);
        seen.position += frame.output.length;
        if (acks) queueMicrotask(() => attachment?.ack(seen.position));
      },
      exit: (exit) => exits.push(exit),
    },
    offset,
  );
  return { ...attachment, states, exits, seen };
}

describe('a terminal and its readers', () => {
  it('TM-1: shows every reader the same output, from the start, later, and from an offset', async () => {
    const { terminal, print } = setup();
    const first = look(terminal);
    await print('hello ');
    await print('world');
    const second = look(terminal);
    const third = look(terminal, { offset: 6 });
    await print('!');
    expect([first, second, third].map(({ seen }) => seen.text)).toEqual(['hello world!', 'hello world!', 'world!']);
    expect(second.states[0]).toEqual({ ...size, offset: 0, end: 11, running: true, answers: false });
  });

  it('starts over for an offset that is gone or never existed', async () => {
    const { terminal, print } = setup();
    await print('line\n'.repeat(1_000));
    for (const offset of [0, 5, 1_000_000]) {
      const reader = look(terminal, { offset });
      await vi.advanceTimersByTimeAsync(10);
      expect(reader.states[0]?.offset).toBeGreaterThan(2_900);
      expect(reader.seen.text).toMatch(/^(line\n)+$/);
      expect(reader.seen.position).toBe(5_000);
    }
  });

  it('restores the modes of a full-screen program whose beginning is gone, and makes it redraw', async () => {
    const { pty, terminal, print } = setup();
    await print('\u001B[?1049h\u001B[?25l');
    await print('x'.repeat(4_000));
    const reader = look(terminal);
    expect(reader.seen.modes).toBe('\u001B[?25l\u001B[?1049h');
    await vi.advanceTimersByTimeAsync(100);
    expect(pty.sizes).toEqual([{ cols: 80, rows: 23 }, size]);
  });

  it('TM-2: blocks the program while nobody shows its output, and continues when they do', async () => {
    const { pty, terminal, print } = setup();
    const reader = look(terminal, { acks: false });
    await print('x'.repeat(150));
    expect(pty.output.isPaused()).toBe(true);
    expect(reader.seen.text.length).toBeLessThanOrEqual(140);
    reader.ack(reader.seen.position);
    expect(pty.output.isPaused()).toBe(false);
  });

  it('TM-2: is as fast as the fastest reader, while a slow one skips and catches up', async () => {
    const { pty, terminal, print } = setup();
    const slow = look(terminal, { acks: false });
    const fast = look(terminal);
    for (let round = 0; round < 100; round += 1) await print('0123456789'.repeat(9).concat('\n'));
    expect(fast.seen.position).toBe(9_100);
    expect(pty.output.isPaused()).toBe(false);
    expect(slow.seen.position).toBeLessThan(200);
    slow.ack(slow.seen.position);
    expect(slow.states.at(-1)?.offset).toBeGreaterThan(7_000);
    expect(slow.seen.text).toMatch(/^(0123456789)+/);
  });

  it('TM-2: counts a reader that holds back a short ack as up to date', async () => {
    const { terminal, print } = setup();
    const reader = look(terminal, { acks: false });
    await print('x'.repeat(20));
    await print('line\n'.repeat(1_000));
    expect(reader.states.at(-1)?.offset).toBeGreaterThan(2_900);
    expect(reader.seen.text).toMatch(/^(line\n)+/);
  });

  it('TM-2: stops waiting for a reader that shows nothing, and pauses between bursts', async () => {
    const { pty, terminal, print } = setup();
    look(terminal, { acks: false });
    await print('x'.repeat(200));
    expect(pty.output.isPaused()).toBe(true);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(pty.output.isPaused()).toBe(false);
    pty.print('y'.repeat(600));
    await vi.advanceTimersByTimeAsync(5);
    expect(pty.output.isPaused()).toBe(true);
    await vi.advanceTimersByTimeAsync(60);
    expect(pty.output.isPaused()).toBe(false);
  });

  it('lets exactly one reader answer the program: the last to type, or else the first still watching', async () => {
    const { terminal } = setup();
    const [one, two] = [look(terminal), look(terminal)];
    const answering = () => [one, two].map(({ states }) => states.at(-1)?.answers);
    expect(answering()).toEqual([true, false]);
    two.input('x');
    expect(answering()).toEqual([false, true]);
    two.detach();
    expect(answering()[0]).toBe(true);
  });

  it('has one size for all readers, and notifies them when it changes', () => {
    const { pty, terminal } = setup();
    const readers = [look(terminal), look(terminal)];
    terminal.resize({ cols: 100, rows: 30 });
    terminal.resize({ cols: 100, rows: 30 });
    expect(pty.sizes).toEqual([{ cols: 100, rows: 30 }]);
    for (const { states } of readers) expect(states.at(-1)).toMatchObject({ cols: 100, rows: 30 });
  });

  it('TM-3: shows the exit after the last output, even to later readers, and never runs again', async () => {
    const { pty, terminal, onChanged, print } = setup();
    const reader = look(terminal, { acks: false });
    await print('x'.repeat(90));
    await print('y'.repeat(90));
    await pty.end({ exitCode: 7 });
    await vi.advanceTimersByTimeAsync(10);
    expect(reader.exits).toEqual([]);
    for (let round = 0; round < 5; round += 1) reader.ack(reader.seen.position);
    expect(reader.seen.text).toHaveLength(180);
    expect(reader.exits).toEqual([{ exitCode: 7 }]);
    expect(onChanged).toHaveBeenCalledOnce();
    const late = look(terminal);
    await vi.advanceTimersByTimeAsync(10);
    expect(late.states[0]).toMatchObject({ running: false });
    expect(late.exits).toEqual([{ exitCode: 7 }]);
    expect(late.input('x')).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});
