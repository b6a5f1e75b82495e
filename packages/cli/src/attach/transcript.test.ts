import type { SessionMessage, TurnEvent, UpsertObject } from '@liminal/contracts';
import { fold } from '@liminal/domain/timeline/fold';
import { createTimeline } from '@liminal/domain/timeline/timeline';
import { describe, expect, it } from 'vitest';
import { createTerminal } from '../base/terminal.ts';
import { createTranscript } from './transcript.ts';

const at = '2026-01-01T00:00:00.000Z';
const { colours } = createTerminal(process.stdout, process.stderr, { NO_COLOR: '1' }, false);
const base = (itemId: string, turnId: string, order: number) => ({
  itemId,
  turnId,
  sessionId: 's',
  sourceTimestamp: at,
  emittedAt: at,
  order,
});
const message = (itemId: string, turnId: string, order: number, content: string, origin: 'user' | 'agent') =>
  ({ type: 'message', ...base(itemId, turnId, order), status: 'complete', content, origin }) as const;

function session(isWholeWanted = false) {
  const timeline = createTimeline();
  const transcript = createTranscript(colours, isWholeWanted);
  let seq = 1;
  const apply = (body: Record<string, unknown>) =>
    transcript.next({
      timeline,
      changed: fold(timeline, { sessionId: 's', epoch: 'e', seq: (seq += 1), ...body } as SessionMessage),
    });
  const begin = (entries: readonly UpsertObject[], turns: readonly string[]) =>
    apply({
      type: 'session:history',
      entries,
      turns: turns.map((turnId) => ({ turnId, state: 'running' })),
      hasMore: false,
      permissions: [],
      queue: [],
      status: { state: 'open', activity: 'working', isAlive: true },
      info: {},
    });
  return {
    begin,
    upsert: (payload: UpsertObject) => apply({ type: 'session:upsert', payload }),
    append: (itemId: string, offset: number, text: string, status?: string) =>
      apply({ type: 'session:append', payload: { itemId, offset, text, ...(status && { status }) } }),
    turn: (payload: TurnEvent) => apply({ type: 'session:turn', payload }),
  };
}

describe('the transcript of a session', () => {
  it('starts with the last turn, or with everything', () => {
    const entries = [message('a', 't1', 1, 'old', 'user'), message('b', 't2', 2, 'new', 'user')];
    expect(session().begin(entries, ['t1', 't2'])).toBe('\n> new\n');
    expect(session(true).begin(entries, ['t1', 't2'])).toBe('\n> old\n\n> new\n');
  });

  it('appends to growing text, and splits it when something else comes in between', () => {
    const { begin, upsert, append } = session();
    begin([], ['t']);
    expect(upsert({ ...message('a', 't', 1, 'One ', 'agent'), status: 'create' })).toBe('\nOne ');
    expect(append('a', 4, 'two')).toBe('two');
    expect(upsert({ type: 'thinking', ...base('b', 't', 2), status: 'create', content: 'hm', providerId: 'x' })).toBe(
      '\nThinking…\n',
    );
    expect(append('a', 7, ' three', 'complete')).toBe('…\n three\n');
  });

  it('collapses the output of a tool to its end', () => {
    const { begin, upsert } = session();
    begin([], ['t']);
    const call = {
      type: 'tool_call',
      ...base('c', 't', 1),
      toolName: 'Bash',
      toolArguments: {},
      callId: 'c',
      title: 'npm test',
    } as const;
    expect(upsert({ ...call, status: 'create' })).toBe('● npm test\n');
    expect(upsert({ ...call, status: 'update', toolOutput: '1\n2\n' })).toBe('');
    expect(upsert({ ...call, status: 'complete', toolOutput: '1\n2\n3\n4\n5\n' })).toBe(
      '  … 2 more lines\n  3\n  4\n  5\n',
    );
  });

  it('shows escape sequences instead of executing them', () => {
    const { begin, upsert, turn } = session();
    const evil = '\u001b]0;owned\u0007\u001b[2J\rhidden\u202e';
    const out = [
      begin([message('a', 't', 1, evil, 'user')], ['t']),
      upsert(message('b', 't', 2, evil, 'agent')),
      upsert({
        type: 'tool_call',
        ...base('c', 't', 3),
        status: 'complete',
        toolName: evil,
        toolArguments: {},
        callId: 'c',
        toolOutput: evil,
      }),
      upsert({
        type: 'plan',
        ...base('d', 't', 4),
        status: 'update',
        entries: [{ content: evil, status: 'in_progress' }],
      }),
      turn({ type: 'turn_error', turnId: 't', sessionId: 's', errorCode: 'X', errorMessage: evil }),
    ].join('');
    expect(out.match(/owned/g)?.length).toBe(6);
    expect(out).not.toMatch(/[^\n\P{Cc}]|\u202e/u);
  });

  it('prints once how a turn ended', () => {
    const { begin, turn } = session();
    begin([], ['t']);
    const ended = { type: 'turn_complete', turnId: 't', sessionId: 's', status: 'cancelled' } as const;
    expect(turn(ended)).toBe('— stopped\n');
    expect(turn(ended)).toBe('');
  });
});
