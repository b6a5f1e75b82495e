import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttentionKind, NodeMark, SessionSummary } from '@liminal/contracts';
import { attentionOf, attentionKey } from '@liminal/domain/session/attention';
import { beginTurn, closeTurn } from '@liminal/domain/session/close-turn';
import type { Command } from '@liminal/domain/session/command';
import { decide } from '@liminal/domain/session/decide';
import { evolveAll } from '@liminal/domain/session/evolve';
import type { Fact } from '@liminal/domain/session/fact';
import { inboxSectionOf } from '@liminal/domain/session/inbox';
import { openAskOf } from '@liminal/domain/session/open-ask';
import { noWork, runningWorkOf, workAfterFact } from '@liminal/domain/session/running-work';
import { newSession, statusOf } from '@liminal/domain/session/session';
import { completed, failed, permission, send, started } from '@liminal/domain/session/testing/play-session';
import { sessionRow } from '../../store/testing/sample-rows.ts';
import { marksAfter } from '../service/session-marks.ts';
import { rowAfter, summaryOf } from './session-row.ts';

const kinds = [
  'send',
  'start',
  'end',
  'fail',
  'agent',
  'ask',
  'answer',
  'die',
  'sleep',
  'wake',
  'kill',
  'open',
  'see',
  'unread',
  'snooze',
  'leave',
  'return',
] as const;
const walkLength = 10_000;

/** The expected status of the session, derived from the events alone. */
type Expected = { asked: boolean; busy: boolean; failed: boolean; unseen: boolean; away: boolean; alive: boolean };

function expectedKind({ asked, busy, failed: isFailed, unseen, away, alive }: Expected, dead: boolean): AttentionKind {
  if (away) return 'unknown';
  if (asked) return 'needs-you';
  if (busy) return 'working';
  if (isFailed) return 'failed';
  if (unseen) return 'done';
  return alive || dead ? 'idle' : 'paused';
}

/** Applies the steps and compares the status with the expected one after each. */
function walk(steps: readonly string[]): void {
  let session = newSession('s');
  let row = sessionRow('s');
  let work = noWork;
  let node: NodeMark | undefined;
  const expected: Expected = {
    asked: false,
    busy: false,
    failed: false,
    unseen: false,
    away: false,
    alive: true,
  };
  const summary = (): SessionSummary => ({
    ...summaryOf(row, statusOf(session, expected.alive), {
      working: runningWorkOf(work),
      asks: openAskOf(session.permissions),
    }),
    ...(node && { node }),
  });

  steps.forEach((kind, index) => {
    const at = new Date(index * 1000).toISOString();
    const running = session.turn?.turnId ?? session.agentTurn;
    const before = attentionKey(summary());
    const apply = (facts: readonly Fact[]): void => {
      row = rowAfter(row, facts, at);
      for (const fact of facts) work = workAfterFact(work, fact);
      session = evolveAll(session, facts).session;
      expected.busy = session.turn !== null || session.agentTurn !== null;
      expected.asked = session.permissions.length > 0;
      for (const fact of facts) {
        if (fact.type === 'turn-ended') {
          expected.failed = fact.event.type === 'turn_error';
          expected.unseen = true;
        }
        if (fact.type === 'process-closed') expected.failed = expected.unseen = true;
        if (fact.type === 'session-killed') expected.failed = false;
      }
    };
    const command = (given: Command): void => {
      const decision = decide(session, given, at);
      if (decision.ok) apply(decision.value);
    };
    switch (kind) {
      case 'send':
        command(send(`t${index}`));
        break;
      case 'start':
        if (session.turn) apply(beginTurn(session, started(session.turn.turnId), at));
        break;
      case 'agent':
        if (running === null && session.life === 'open') apply(beginTurn(session, started(`a${index}`, 'agent'), at));
        break;
      case 'end':
      case 'fail':
        if (running !== null) apply(closeTurn(session, kind === 'end' ? completed(running) : failed(running), at));
        break;
      case 'ask':
        if (running !== null) apply([{ type: 'permission-opened', request: permission(`p${index}`, running) }]);
        break;
      case 'answer': {
        const [request] = session.permissions;
        if (request) command({ type: 'answer', answer: { requestId: request.requestId, optionId: 'yes' } });
        break;
      }
      case 'die': {
        const ended = running === null ? [] : closeTurn(session, failed(running), at);
        apply([...ended, { type: 'process-closed', error: { code: 'PROCESS_CRASH', message: 'gone', at } }]);
        expected.alive = false;
        break;
      }
      case 'sleep':
        if (!expected.busy) expected.alive = false;
        break;
      case 'wake':
        if (session.life === 'open') expected.alive = true;
        break;
      case 'kill':
      case 'open':
        command({ type: kind });
        break;
      case 'see':
        row = { ...row, marks: marksAfter(row.marks, row.ended ? { seen: row.ended.id } : { unread: false }, before) };
        expected.unseen = false;
        break;
      case 'unread':
        row = { ...row, marks: marksAfter(row.marks, { unread: true }, before) };
        expected.unseen = true;
        break;
      case 'snooze':
        row = { ...row, marks: marksAfter(row.marks, { snoozed: { until: 'change' } }, before) };
        expect(inboxSectionOf(summary(), at)).toBeNull();
        break;
      case 'leave':
      case 'return':
        expected.away = kind === 'leave';
        node = { nodeId: 'n', name: 'attic', presence: expected.away ? 'gone' : 'there' };
        break;
    }
    const now = summary();
    const attention = attentionOf(now);
    const want = expectedKind(expected, session.life === 'dead');
    if (attention.kind !== want) expect({ index, kind, attention }).toEqual({ index, kind, attention: want });
    if (attention.kind === 'failed') expect(attention.isSeen).toBe(!expected.unseen);
    // The status survives serialisation, between machines and to the page.
    expect(attentionOf(JSON.parse(JSON.stringify(now)) as SessionSummary)).toEqual(attention);
    // The inbox shows it unless it is unchanged since it was snoozed.
    const isSnoozed = now.marks?.snoozed?.key === attentionKey(now);
    if (!isSnoozed && want !== 'idle' && want !== 'paused' && want !== 'unknown')
      expect(inboxSectionOf(now, at)).toBe(attention.kind === 'failed' && attention.isSeen ? null : want);
  });
}

/** Steps generated from a seed, so a failure prints that seed and not ten thousand steps. */
function stepsOf(seed: number): string[] {
  let state = seed;
  return Array.from({ length: walkLength }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return kinds[Math.floor((state / 2 ** 32) * kinds.length)] ?? 'send';
  });
}

describe('the status of a session', () => {
  it(`IN-1: reflects what happened to it, at every step of a walk of ${walkLength} events`, () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => walk(stepsOf(seed))),
      { numRuns: 1 },
    );
  });

  it('IN-1: reflects what happened to it, over many short lives', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom(...kinds), { maxLength: 40 }), walk), { numRuns: 500 });
  });
});
