import type { SessionActivity, SessionState } from '@liminal/contracts';

/** What a person needs to know of a session at a glance; `quiet` needs no sign at all. */
export type SignName = 'waiting' | 'failed' | 'working' | 'unread' | 'asleep' | 'quiet';

/** Each sign has a shape of its own, so that colour is never the only difference. Drawn in a box of 16. */
export const signShapes: Record<Exclude<SignName, 'quiet'>, string> = {
  waiting: 'M8 1.5 15 14.5H1z',
  failed: 'M4.2 1.5h7.6L14.5 4.2v7.6l-2.7 2.7H4.2l-2.7-2.7V4.2z',
  working: 'M8 2a6 6 0 1 0 6 6h-2.6A3.4 3.4 0 1 1 8 4.6z',
  unread: 'M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  asleep: 'M11.5 10.9A5 5 0 0 1 6.1 3.2a5.3 5.3 0 1 0 7 7 5 5 0 0 1-1.6.7z',
};

export const signWords: Record<SignName, string> = {
  waiting: 'Waiting for you',
  failed: 'Failed',
  working: 'Working',
  unread: 'Unread',
  asleep: 'Asleep',
  quiet: 'Idle',
};

export type SignFacts = {
  readonly state: SessionState;
  readonly activity: SessionActivity;
  readonly failed: boolean;
  readonly unread: boolean;
};

/** The one sign a session shows: what needs the person most comes first. */
export function signOf(facts: SignFacts): SignName {
  if (facts.activity === 'waiting') return 'waiting';
  if (facts.activity === 'working') return 'working';
  if (facts.failed || facts.state === 'dead') return 'failed';
  if (facts.unread) return 'unread';
  if (facts.activity === 'asleep') return 'asleep';
  return 'quiet';
}

const loudness: readonly SignName[] = ['waiting', 'failed', 'working', 'unread', 'asleep', 'quiet'];

/** The sign that stands for many sessions: the loudest. Sleeping and quiet ones say nothing together. */
export function loudest(signs: Iterable<SignName>): SignName {
  let best = loudness.length - 1;
  for (const sign of signs) best = Math.min(best, loudness.indexOf(sign));
  const found = loudness[best] ?? 'quiet';
  return found === 'asleep' ? 'quiet' : found;
}
