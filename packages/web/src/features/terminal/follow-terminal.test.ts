import { ackEveryBytes } from '@liminal/domain/terminal/output-frame';
import { describe, expect, it } from 'vitest';
import { followTerminal } from './follow-terminal.ts';

const bytes = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));

function setup() {
  const shown: string[] = [];
  const acks: number[] = [];
  const pending: (() => void)[] = [];
  const screen = {
    text: '',
    clear: () => void shown.push('clear'),
    setSize: (cols: number, rows: number) => void shown.push(`${cols}x${rows}`),
    write(part: Uint8Array, done: () => void) {
      shown.push(String.fromCharCode(...part));
      pending.push(done);
    },
  };
  const followed = followTerminal(screen, (offset) => acks.push(offset));
  const state = (offset: number, end: number, answers = true) =>
    followed.onState({
      type: 'terminal:state',
      terminalId: 't',
      offset,
      end,
      cols: 80,
      rows: 24,
      running: true,
      answers,
    });
  const output = (offset: number, text: string) =>
    followed.onOutput({ kind: 'output', terminalId: 't', offset, output: bytes(text) });
  const draw = () => pending.splice(0).forEach((done) => done());
  return { followed, shown, acks, state, output, draw };
}

describe('a terminal on the screen', () => {
  it('shows output in order and acknowledges it every so often', () => {
    const { shown, acks, state, output, draw } = setup();
    state(0, 0);
    output(0, 'ab');
    output(2, 'cd');
    draw();
    expect(shown).toEqual(['clear', '80x24', 'ab', 'cd']);
    expect(acks).toEqual([]);
    output(4, 'x'.repeat(ackEveryBytes));
    expect(acks).toEqual([]);
    draw();
    expect(acks).toEqual([4 + ackEveryBytes]);
  });

  it('answers nothing during a replay, and only if it is the one to answer', () => {
    const { followed, shown, state, output, draw } = setup();
    state(0, 3);
    output(0, 'oldnew');
    expect(shown.slice(2)).toEqual(['old', 'new']);
    expect(followed.mayAnswer()).toBe(false);
    draw();
    expect(followed.mayAnswer()).toBe(true);
    state(6, 10, false);
    expect(followed.mayAnswer()).toBe(false);
    state(6, 10, true);
    expect(followed.mayAnswer()).toBe(true);
  });

  it('continues after a lost connection without clearing, and starts over if it has to', () => {
    const { followed, shown, state, output } = setup();
    state(0, 0);
    output(0, 'abc');
    followed.onAttach();
    expect(followed.position()).toBe(3);
    state(3, 5);
    output(3, 'de');
    expect(shown.filter((each) => each === 'clear')).toHaveLength(1);
    state(90, 95);
    output(90, 'fresh');
    expect(shown.slice(-3)).toEqual(['clear', '80x24', 'fresh']);
  });

  it('ignores output that doesn’t follow', () => {
    const { shown, state, output } = setup();
    state(0, 0);
    output(7, 'lost');
    expect(shown).toEqual(['clear', '80x24']);
  });
});
