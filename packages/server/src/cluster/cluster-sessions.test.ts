import { describe, expect, it } from 'vitest';
import { createClusterSessions, type ClusterSessionsDeps } from './cluster-sessions.ts';
import { redisKeys } from './redis/redis-keys.ts';

/** The history of another machine's session before a turn, with what Redis replies to the read script. */
const older = (...reply: readonly unknown[]) =>
  createClusterSessions({
    local: {},
    directory: { nodeOf: () => 'there' },
    calls: {},
    membership: { keys: redisKeys(), script: async () => reply },
    historyBytes: 1_000,
  } as unknown as ClusterSessionsDeps).history('s', { before: 't9' });

const page = (hasMore: '0' | '1', turns: readonly string[]) => {
  const keys = turns.map((turnId) => `turn:${turnId}`);
  const values = turns.flatMap((turnId) => [JSON.stringify({ turnId, state: 'completed' }), '']);
  return ['OK', 'e', '1', '0-1', hasMore, keys, [], [], keys, values];
};
const unpublished = { ok: false, failure: { code: 'NODE_UNREACHABLE' } };

describe('older history of another machine’s session', () => {
  it('ends only where the session begins', async () => {
    expect(await older(...page('1', ['t8', 't7']))).toMatchObject({ ok: true, value: { nextBefore: 't7' } });
    expect(await older(...page('0', ['t2', 't1']))).toMatchObject({ ok: true, value: { nextBefore: null } });
    expect(await older(...page('0', []))).toMatchObject({ ok: true, value: { nextBefore: null } });
  });

  it('fails while it isn’t published, so the page asks again', async () => {
    expect(await older(...page('1', []))).toMatchObject(unpublished);
    // The turn that the page has may itself not be published yet.
    expect(await older('TURN', '0')).toMatchObject(unpublished);
    expect(await older('TURN', '1')).toMatchObject({ ok: false, failure: { code: 'TURN_NOT_FOUND' } });
  });
});
