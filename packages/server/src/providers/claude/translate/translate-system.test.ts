import { describe, expect, test } from 'vitest';
import { say, startTranslation } from '../testing/native-messages.ts';

const words = (text: string) => ({ type: 'text', text });

describe('MM-1: notes beside the conversation', () => {
  const notesOf = (...messages: readonly unknown[]): string[] => {
    const session = startTranslation();
    session.send('t');
    session.hear(say.init(['t']), ...messages);
    return session.notes().slice(1);
  };

  test('reports that the session is initialised once per process, and again on a change', () => {
    const session = startTranslation();
    session.hear(
      say.init(),
      say.result(),
      say.init(),
      say.result(),
      say.init(undefined, { model: 'other' }),
      say.result(),
    );
    session.note({ kind: 'process-started' });
    session.hear(say.init(undefined, { model: 'other' }));
    expect(session.notes().map((text) => /model (\S+),/.exec(text)?.[1])).toEqual(['model-1', 'other', 'other']);
  });

  test.each([
    [
      'compaction',
      say.system('compact_boundary', { compact_metadata: { pre_tokens: 900, post_tokens: 100 } }),
      /compacted.*900 to 100/,
    ],
    [
      'a failed compaction',
      say.system('status', { compact_result: 'failed', compact_error: 'too long' }),
      /couldn't be compacted: too long/,
    ],
    [
      'a retry',
      say.system('api_retry', {
        attempt: 1,
        max_retries: 3,
        retry_delay_ms: 500,
        error_status: 529,
        error: 'overloaded',
      }),
      /529, overloaded.*0\.5 s, attempt 1 of 3/,
    ],
    [
      'a rate limit',
      {
        type: 'rate_limit_event',
        rate_limit_info: { status: 'rejected', rateLimitType: 'five_hour', resetsAt: 1_800_000_000 },
      },
      /reached the usage limit.* \(five hour\).*2027/,
    ],
    [
      'a nearly reached limit',
      { type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning', utilization: 0.9 } },
      /close to .* \(90 % used\)/,
    ],
    ['a refusal', say.system('model_refusal_no_fallback', { content: 'It declined.' }), /It declined/],
    [
      'a blocking hook',
      say.system('hook_response', { hook_name: 'PreToolUse', exit_code: 2, stderr: 'not here' }),
      /PreToolUse.*not here/,
    ],
    [
      'a stream error',
      say.stream({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }),
      /stream reported an error: busy/,
    ],
    ['a warning', say.system('informational', { level: 'warning', content: 'mind this' }), /mind this/],
    ['a failed login', { type: 'auth_status', error: 'expired' }, /expired/],
    ['a cleared conversation', { type: 'conversation_reset' }, /cleared/],
    ['structured output', say.result({ structured_output: { a: 1 } }), /"a": 1/],
    [
      'the output of a slash command',
      say.whole('x', words('## Context'), {
        message: { id: 'x', model: '<synthetic>', content: [words('## Context')] },
      }),
      /## Context/,
    ],
  ])('%s', (_, message, expected) => {
    expect(notesOf(message)).toEqual([expect.stringMatching(expected)]);
  });

  test.each([
    ['an allowed request', { type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } }],
    ['a successful hook', say.system('hook_response', { outcome: 'success', exit_code: 0 })],
    ['thinking tokens', say.system('thinking_tokens')],
    ['small talk', say.system('informational', { level: 'info', content: 'x' })],
  ])('reports nothing for %s', (_, message) => {
    expect(notesOf(message)).toEqual([]);
  });

  test('reports a refusal only the stream had at the end, and an unchanged limit once', () => {
    expect(notesOf(say.start('m'), say.delta('refusal'), say.stop(), say.result())).toEqual([
      expect.stringMatching(/declined/),
    ]);
    const limit = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected' } };
    expect(notesOf(limit, limit)).toHaveLength(1);
  });

  test('outside any turn, puts a note under the latest turn, or under "session"', () => {
    const session = startTranslation();
    session.hear(say.system('informational', { level: 'warning', content: 'early' }));
    session.send('t');
    session.hear(say.init(['t']), say.result(), say.system('informational', { level: 'warning', content: 'late' }));
    expect(session.upserts().map(({ itemId }) => itemId)).toEqual(['session:n1:0', 't:n1:0', 't:n2:0']);
  });
});

describe('MM-2: use and cost', () => {
  test('reports the running turn’s usage while it runs, and the session’s at its end', () => {
    const session = startTranslation();
    session.send('t');
    session.hear(say.init(['t']), say.start('m'), say.delta('tool_use'), say.stop(), say.start('n'));
    expect(session.infos.at(-1)?.turnUsage).toMatchObject({ inputTokens: 10, outputTokens: 8 });
    const modelUsage = { 'model-1': { inputTokens: 20, outputTokens: 9, costUSD: 0.3, contextWindow: 1000 } };
    session.hear(say.delta('end_turn'), say.stop(), say.result({ total_cost_usd: 0.3, modelUsage }));
    expect(session.infos.at(-1)).toMatchObject({
      sessionUsage: { inputTokens: 20, outputTokens: 9 },
      sessionCostUsd: 0.3,
      context: { used: 12, size: 1000 },
    });
  });

  test('the cost of a turn is its own, even after a resume that includes the earlier total', () => {
    const session = startTranslation();
    session.send('t');
    const sinceLast = { 'model-1': { costUSD: 0.1 } };
    session.hear(say.init(['t']), say.result({ total_cost_usd: 5.1, model_usage_since_last_result: sinceLast }));
    expect(session.turns().at(-1)).toMatchObject({ costUsd: 0.1 });
  });

  test("the cost of a turn is what it added to the session's total", () => {
    const session = startTranslation();
    const costs = [0.5, 0.75, 0.75].map((total, place) => {
      session.send(`t${place}`);
      session.hear(say.init([`t${place}`]), say.result({ total_cost_usd: total }));
      const last = session.turns().at(-1);
      return last?.type === 'turn_complete' ? last.costUsd : undefined;
    });
    expect(costs).toEqual([0.5, 0.25, 0]);
    expect(session.infos.at(-1)).toMatchObject({ sessionCostUsd: 0.75 });
  });

  test('reports background tasks with their state', () => {
    const session = startTranslation();
    session.hear(
      say.system('task_started', { task_id: 'a', tool_use_id: 'c', description: 'build', is_backgrounded: true }),
    );
    expect(session.translator.hasBackgroundWork()).toBe(true);
    session.hear(say.system('task_notification', { task_id: 'a', status: 'failed', summary: 'no' }));
    expect(session.infos.at(-1)?.backgroundTasks).toEqual([
      { taskId: 'a', title: 'build', state: 'failed', callId: 'c' },
    ]);
    session.hear(say.system('background_tasks_changed', { tasks: [{ task_id: 'b', description: 'watch' }] }));
    session.hear(say.system('background_tasks_changed', { tasks: [] }));
    expect(session.infos.at(-1)?.backgroundTasks).toMatchObject([
      { state: 'failed' },
      { taskId: 'b', state: 'stopped' },
    ]);
    expect(session.translator.hasBackgroundWork()).toBe(false);
  });
});
