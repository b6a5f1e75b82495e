import type { AttentionKind } from '@liminal/contracts';

/** What a person needs to know of a session at a glance; `idle` needs no sign at all. */
export type SignName = AttentionKind;

/** Each sign has a shape of its own, so that colour is never the only difference. Drawn in a box of 16. */
export const signShapes: Record<Exclude<SignName, 'idle'>, string> = {
  'needs-you': 'M8 .9 15.1 8 8 15.1.9 8z',
  failed: 'M4.2 1.5h7.6L14.5 4.2v7.6l-2.7 2.7H4.2l-2.7-2.7V4.2z',
  working: 'M8 2a6 6 0 1 0 6 6h-2.6A3.4 3.4 0 1 1 8 4.6z',
  done: 'M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  paused: 'M4 2.5h2.8v11H4zM9.2 2.5H12v11H9.2z',
  unknown:
    'M6 2.3 7.6 2v1.8l-1 .3zm4.2 0L8.6 2v1.8l1 .3zM2.3 6 2 7.6h1.8l.3-1zm0 4.1L2 8.6h1.8l.3 1zM13.7 6l.3 1.6h-1.8l-.3-1zm0 4.1.3-1.5h-1.8l-.3 1zM6 13.7l1.6.3v-1.8l-1-.3zm4.2 0-1.6.3v-1.8l1-.3z',
};

export const signWords: Record<SignName, string> = {
  'needs-you': 'Needs you',
  failed: 'Failed',
  working: 'Working',
  done: 'Done, not seen',
  paused: 'Paused',
  unknown: 'Unknown',
  idle: 'Idle',
};
