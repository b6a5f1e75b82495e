import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginTurn, closeTurn } from './close-turn.ts';
import { decide } from './decide.ts';
import { evolveAll } from './evolve.ts';
import type { Fact } from './fact.ts';
import { newSession, type Session } from './session.ts';
import { at, completed, failed, message, permission, send, sessionId, started } from './testing/play-session.ts';

const commands = ['cancel', 'kill', 'load', 'open', 'advance'] as const;
const events = [
  'send',
  'deliver',
  'steer',
  'late',
  'start',
  'end',
  'fail',
  'agent',
  'ask',
  'die',
  'not-loaded',
] as const;
type Step = { readonly kind: (typeof commands)[number] | (typeof events)[number]; readonly n: number };

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom(...commands, ...events),
    n: fc.integer({ min: 0, max: 5 }),
  }),
  { maxLength: 60 },
);

/** What the shell would do with a step: commands are decided, the agent's events accepted or dropped. */
function factsOf(session: Session, { kind, n }: Step, index: number): readonly Fact[] {
  const command = (given: Parameters<typeof decide>[1]) => {
    const decision = decide(session, given, at);
    return decision.ok ? decision.value : [];
  };
  const running = session.turn?.turnId ?? session.agentTurn ?? `t${n}`;
  switch (kind) {
    case 'send':
      return command(send(`t${index}`));
    case 'deliver':
      return command({ type: 'deliver', message: message(running) });
    case 'steer':
      return command({ type: 'steer', message: message(`t${index}`) });
    case 'late':
      return beginTurn(session, started(session.steered.at(-1 - n)?.ownTurnId ?? `t${index}`), at);
    case 'cancel':
    case 'kill':
    case 'load':
    case 'open':
    case 'advance':
      return command({ type: kind });
    case 'start':
    case 'agent': {
      const event = kind === 'agent' ? started(`a${index}`, 'agent') : started(running);
      return beginTurn(session, event, at);
    }
    case 'end':
      return closeTurn(session, completed(running), at);
    case 'fail':
      return closeTurn(session, failed(running), at);
    case 'ask':
      return session.turn ? [{ type: 'permission-opened', request: permission(`p${index}`, session.turn.turnId) }] : [];
    case 'die':
      return [
        ...closeTurn(session, failed(running), at),
        { type: 'process-closed', error: { code: 'PROCESS_CRASH', message: 'gone', at } },
      ];
    case 'not-loaded':
      if (session.life !== 'loading') return [];
      return [
        ...(session.turn ? closeTurn(session, failed(session.turn.turnId), at) : []),
        { type: 'load-failed', error: { code: 'PROCESS_CRASH', message: 'gone', at } },
      ];
  }
}

describe('any sequence of steps', () => {
  it('gives every turn one start and one end, in order, and sends every message at most once', () => {
    fc.assert(
      fc.property(steps, (given) => {
        let session = newSession(sessionId);
        const seen = new Map<string, string[]>();
        const sent: string[] = [];
        given.forEach((step, index) => {
          const facts = factsOf(session, step, index);
          const evolved = evolveAll(session, facts);
          session = evolved.session;
          for (const effect of evolved.effects) if (effect.type === 'send-message') sent.push(effect.message.turnId);
          for (const fact of facts) {
            if (fact.type === 'turn-started' || fact.type === 'turn-ended') {
              const life = seen.get(fact.event.turnId) ?? [];
              seen.set(fact.event.turnId, [...life, fact.type]);
            }
          }
          if (session.life === 'dead') expect(session.turn).toBeNull();
          for (const open of session.permissions)
            expect([session.turn?.turnId, session.agentTurn]).toContain(open.turnId);
        });
        expect(new Set(sent).size).toBe(sent.length);
        for (const life of seen.values()) expect(['turn-started', 'turn-started,turn-ended']).toContain(life.join());
        // Messages are sent in the order they were accepted.
        const numbers = sent.map((turnId) => Number(turnId.slice(1)));
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      }),
      { numRuns: 2000 },
    );
  });
});
