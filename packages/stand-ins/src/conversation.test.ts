import { describe, expect, it } from 'vitest';
import { callId, findScene } from './conversation.ts';
import type { ConversationEvent } from './conversation.ts';

const heard = (text: string): ConversationEvent => ({ kind: 'heard', text });
const said: ConversationEvent = { kind: 'said' };
const result = (round: number, output = '', index = 0): ConversationEvent => ({
  kind: 'result',
  callId: callId(round, index, 'abc'),
  output,
});
const answer = (...events: ConversationEvent[]): string =>
  findScene(events)
    .steps.map((step) => (step.kind === 'say' ? step.pieces.join('') : `(${step.kind})`))
    .join('');

describe('findScene', () => {
  it('starts the script of the newest prompt', () => {
    expect(answer(heard('@text one'))).toBe('one');
    expect(answer(heard('@text one'), said, heard('@text two'))).toBe('two');
  });

  it('answers an ordinary sentence', () => {
    expect(answer(heard('hello there'))).toBe('You said: hello there');
  });

  it('continues after the tools whose results arrived, in any order', () => {
    const script = heard('@shell a\n@+shell b\n@text between\n@shell c\n@text finished');
    expect(answer(script)).toBe('(call)(call)');
    expect(answer(script, said, result(0, 'B', 1), result(0, 'A'))).toBe('between(call)');
    expect(answer(script, said, result(0), result(0, '', 1), said, result(1))).toBe('finished');
  });

  it('counts rounds when an agent makes up its own call ids', () => {
    const foreign: ConversationEvent = { kind: 'result', callId: 'shell-17', output: '' };
    expect(answer(heard('@shell a\n@+shell b\n@text after'), said, foreign, foreign)).toBe('after');
  });

  it('summarises when tools ran after the last directive', () => {
    expect(answer(heard('@shell a'), said, result(0, 'two\n  words'))).toBe('Done. two words');
  });

  it('says something in a round that has only usage', () => {
    expect(answer(heard('@usage 1 2'))).toBe('(usage)Done.');
  });

  it('skips messages the agent itself adds in the user role', () => {
    const noise = [
      heard('<system-reminder>\n@text no\n</system-reminder>'),
      heard('<environment_context>x</environment_context>'),
      heard('# AGENTS.md instructions'),
      heard('[Request interrupted by user]'),
      heard('Your response above was cut off mid-stream. Resume directly from where it stops.'),
    ];
    expect(answer(...noise, heard('@text yes'), ...noise)).toBe('yes');
    expect(answer(heard('<system-reminder>a</system-reminder>\n@text yes'))).toBe('yes');
  });

  it('lets a message sent mid-turn take over', () => {
    expect(answer(heard('@shell a\n@text old'), said, result(0), heard('@text new'))).toBe('new');
  });

  it('no longer answers a failed message once a newer one has arrived', () => {
    expect(answer(heard('@error 401 bad key'), heard('hello'))).toBe('You said: hello');
  });

  it('continues after the token limit cut off an answer', () => {
    const script = heard('@text part one\n@maxtokens\n@shell a\n@text end');
    const resume = heard('Output token limit hit. Resume directly.');
    expect(answer(script, said, resume)).toBe('(call)');
    expect(answer(script, said, resume, said, result(1))).toBe('end');
  });

  it('answers a wake-up briefly, bare or wrapped in a reminder', () => {
    const wakeUp = '<task-notification>\n<status>completed</status>\n</task-notification>';
    const short = 'Noted: the background task is over.';
    expect(answer(heard('@text x'), said, heard(wakeUp))).toBe(short);
    expect(answer(heard('@text x'), said, heard(`<system-reminder>\n${wakeUp}\n</system-reminder>`))).toBe(short);
  });

  it('does not let a wake-up beside tool results interrupt the script', () => {
    const wakeUp = heard('<task-notification>done</task-notification>');
    expect(answer(heard('@shell a\n@text on'), said, result(0), wakeUp)).toBe('on');
    expect(answer(heard('@shell a\n@text on'), said, wakeUp, result(0))).toBe('on');
  });
});
