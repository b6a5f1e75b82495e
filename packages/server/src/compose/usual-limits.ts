import { usualBackoff } from '../webhooks/deliver.ts';

/** Times and sizes of a server, unless a test gives others. */
export const usualLimits = {
  writeBehindMs: 500,
  historyBytes: 256 * 1024,
  maxOutboxBytes: 4 * 1024 * 1024,
  heartbeatMs: 15_000,
  keeperMs: 15_000,
  /** How long running turns may take to end by themselves when the server shuts down. */
  lastChanceMs: 3_000,
  requestMs: 120_000,
  refusedBodyMs: 2_000,
  /** How long a candidate that was kept can be given up again before the others are parked. */
  keepUndoMs: 10_000,
  webhookMs: 10_000,
  webhookBackoffMs: usualBackoff,
};
