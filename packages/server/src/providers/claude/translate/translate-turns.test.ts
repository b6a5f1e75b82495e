import { describe, expect, test } from 'vitest';
import { say, startTranslation } from '../testing/native-messages.ts';

const words = (text: string) => ({ type: 'text', text });

describe('turns and how they end', () => {
  test('TC-3.3f: turn_started first with the model, one terminal last with usage and cost', () => {
    const session = startTranslation();
    session.send('t');
    expect(session.emissions).toEqual([]);
    session.hear(
      say.init(['t']),
      say.whole('m', words('hi')),
      say.result({ total_cost_usd: 0.5, duration_ms: 12 }),
      say.result(),
    );
    expect(session.turns()).toEqual([
      {
        type: 'turn_started',
        turnId: 't',
        sessionId: 's',
        modelId: 'model-1',
        providerId: 'claude-code',
        initiator: 'user',
      },
      {
        type: 'turn_complete',
        turnId: 't',
        sessionId: 's',
        status: 'completed',
        usage: { inputTokens: 5, outputTokens: 7, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
        costUsd: 0.5,
        durationMs: 12,
      },
    ]);
    expect(session.emissions[0]?.kind).toBe('turn');
    expect(session.emissions.at(-1)?.kind).toBe('turn');
  });

  test('a turn that starts with Claude Code’s own text names no model', () => {
    const session = startTranslation();
    session.send('t');
    const own = { id: 'x', model: '<synthetic>', content: [words('## Context')] };
    session.hear(say.whole('x', words('## Context'), { message: own }));
    expect(session.turns()).toMatchObject([{ type: 'turn_started' }]);
    expect(session.turns()[0]).not.toHaveProperty('modelId', '<synthetic>');
  });

  test.each([
    ['an API failure', { is_error: true, terminal_reason: 'api_error', result: 'API Error: 500' }, 'MODEL_ERROR'],
    ['a wrong key', { is_error: true, api_error_status: 401, result: 'no' }, 'AGENT_AUTH_REQUIRED'],
    ['no login', { is_error: true, result: 'Not logged in · Please run /login' }, 'AGENT_AUTH_REQUIRED'],
    ['a rate limit', { is_error: true, api_error_status: 429, result: 'no' }, 'RATE_LIMITED'],
    ['too many steps', { subtype: 'error_max_turns', is_error: true }, 'MODEL_ERROR'],
    [
      'an unknown session',
      { subtype: 'error_during_execution', is_error: true, errors: ['No conversation found with session ID: x'] },
      'SESSION_CREATE_FAILED',
    ],
  ])('TC-3.3f: %s is turn_error with details', (_, result, code) => {
    const session = startTranslation();
    session.send('t');
    session.hear(say.init(['t']), say.start('m'), say.open(0, words('')), say.text(0, 'half'), say.result(result));
    expect(session.life()).toEqual(['t started', `t ${code}`]);
    expect(session.turns().at(-1)).toMatchObject({
      errorMessage: expect.stringMatching(/\S/) as string,
      usage: { inputTokens: 5 },
    });
    expect(session.items()).toEqual(['t:1:0 message error half']);
  });

  test('decision 1: message_stop does not end a turn, nor do tool_use and max_tokens', () => {
    const session = startTranslation();
    session.send('t');
    session.hear(say.init(['t']));
    for (const reason of ['tool_use', 'max_tokens', 'end_turn'])
      session.hear(say.start(reason), say.delta(reason), say.stop());
    expect(session.life()).toEqual(['t started']);
    session.hear(say.result());
    expect(session.life()).toEqual(['t started', 't completed']);
  });

  test('decision 1: after our interrupt any end of the turn is cancelled; its text is emitted as an update', () => {
    const session = startTranslation();
    session.send('t');
    session.hear(say.init(['t']), say.start('m'), say.open(0, words('')), say.text(0, 'half'));
    session.note({ kind: 'interrupted' });
    session.hear(say.close(0), say.stop(0), say.result({ is_error: true, subtype: 'error_during_execution' }));
    expect(session.life()).toEqual(['t started', 't cancelled']);
    expect(session.items()).toEqual(['t:1:0 message create half']);
  });

  test('decision 1: a stream that ends without a result is a crash, unless it had just ended an answer', () => {
    const crashed = startTranslation();
    crashed.send('t');
    crashed.hear(say.init(['t']), say.start('m'), say.open(0, words('')), say.text(0, 'half'));
    crashed.note({ kind: 'stream-ended', reason: 'SIGKILL' });
    expect(crashed.life()).toEqual(['t started', 't PROCESS_CRASH']);
    expect(crashed.items()).toEqual(['t:1:0 message error half']);

    const handMade = startTranslation();
    handMade.send('t');
    handMade.hear(
      say.start('m'),
      say.open(0, words('')),
      say.text(0, 'all'),
      say.close(0),
      say.delta('end_turn'),
      say.stop(),
    );
    handMade.note({ kind: 'stream-ended' });
    expect(handMade.life()).toEqual(['t started', 't completed']);
    expect(handMade.items()).toEqual(['t:1:0 message complete all']);
  });

  test('every message still waiting when the process ended gets its start and its end', () => {
    const session = startTranslation();
    session.send('t');
    session.send('u');
    session.note({ kind: 'stream-ended' });
    expect(session.life()).toEqual(['t started', 't PROCESS_CRASH', 'u started', 'u PROCESS_CRASH']);
    const killed = startTranslation();
    killed.send('t');
    killed.note({ kind: 'stream-ended', wanted: true });
    expect(killed.life()).toEqual(['t started', 't cancelled']);
  });

  test('decision 2: merged messages are one turn, that of the first', () => {
    const session = startTranslation();
    for (const turnId of ['one', 'two', 'three']) session.send(turnId);
    session.hear(say.init(['one']), say.result({ user_message_uuids: ['one'] }));
    session.hear(say.replay('two'), say.init(['two', 'three']), say.result({ user_message_uuids: ['two', 'three'] }));
    expect(session.life()).toEqual(['one started', 'one completed', 'two started', 'two completed']);
  });

  test('decision 3: a turn nobody asked for gets its own id', () => {
    const session = startTranslation();
    session.hear(say.init(), say.whole('m', words('woke up')), say.result());
    expect(session.turns()[0]).toMatchObject({ turnId: 'agent-1', initiator: 'agent' });
    expect(session.life()).toEqual(['agent-1 started', 'agent-1 completed']);
  });

  test.each([
    ['a replay', (uuid: string) => say.replay(uuid)],
    ['a status', (uuid: string) => say.system('status', { user_message_uuids: [uuid] })],
  ])("decision 3: our message inside the agent's turn, reported by %s, ends that turn and starts ours", (_, tell) => {
    const session = startTranslation();
    session.hear(say.init(), say.whole('m', words('woke up')));
    session.send('t');
    session.hear(tell('t'), say.whole('n', words('answer')), say.result({ user_message_uuids: ['t'] }));
    expect(session.life()).toEqual(['agent-1 started', 'agent-1 completed', 't started', 't completed']);
    expect(session.items()).toEqual(['agent-1:1:0 message complete woke up', 't:1:0 message complete answer']);
  });

  const steer = (session: ReturnType<typeof startTranslation>, turnId: string): void =>
    session.note({ kind: 'sent', uuid: turnId, turnId, steered: true });

  test('a steered message joins the running turn; one that comes too late starts its own immediately', () => {
    const session = startTranslation();
    session.send('t');
    session.hear(say.init(['t']));
    steer(session, 'steered');
    session.hear(say.replay('steered'));
    steer(session, 'late');
    steer(session, 'later');
    session.hear(say.result({ user_message_uuids: ['t', 'steered'] }));
    expect(session.life()).toEqual(['t started', 't completed', 'late started']);
    session.hear(say.init(['late', 'later']), say.whole('m', words('answer')), say.result());
    expect(session.life()).toEqual(['t started', 't completed', 'late started', 'late completed']);
    expect(session.items()).toEqual(['late:1:0 message complete answer']);
    expect(session.turns()[2]).toMatchObject({ initiator: 'user' });
    expect(session.translator.awaitsSteered()).toBe(false);
  });

  test('what the agent does by itself before a late message does not end that message’s turn', () => {
    const session = startTranslation();
    session.send('t');
    session.hear(say.init(['t']));
    steer(session, 'late');
    session.hear(say.result({ user_message_uuids: ['t'] }), say.init(), say.whole('m', words('woke up')), say.result());
    expect(session.life()).toEqual(['t started', 't completed', 'late started']);
    session.hear(say.init(['late']), say.whole('n', words('answer')), say.result({ user_message_uuids: ['late'] }));
    expect(session.life()).toEqual(['t started', 't completed', 'late started', 'late completed']);
    expect(session.items()).toEqual(['late:1:0 message complete woke up', 'late:2:0 message complete answer']);
  });

  test('a late message that is withdrawn, or lost with its process, ends once', () => {
    const withdrawn = startTranslation();
    withdrawn.send('t');
    withdrawn.hear(say.init(['t']));
    steer(withdrawn, 'late');
    withdrawn.hear(say.result({ user_message_uuids: ['t'] }));
    withdrawn.hear({ type: 'command_lifecycle', command_uuid: 'late', state: 'cancelled' });
    withdrawn.note({ kind: 'stream-ended' });
    expect(withdrawn.life()).toEqual(['t started', 't completed', 'late started', 'late cancelled']);

    const lost = startTranslation();
    lost.send('t');
    lost.hear(say.init(['t']));
    steer(lost, 'late');
    lost.hear(say.result({ user_message_uuids: ['t'] }));
    lost.note({ kind: 'stream-ended' });
    expect(lost.life()).toEqual(['t started', 't completed', 'late started', 'late PROCESS_CRASH']);
  });

  test('an older Claude Code that names no messages answers the waiting one', () => {
    const session = startTranslation();
    session.send('t');
    session.hear(say.init(undefined, { capabilities: [] }), say.result());
    session.send('u');
    session.hear(say.init(undefined, { capabilities: [] }), say.result());
    expect(session.life()).toEqual(['t started', 't completed', 'u started', 'u completed']);
  });

  test('a message withdrawn before its turn started is cancelled', () => {
    const session = startTranslation();
    session.send('t');
    session.hear({ type: 'command_lifecycle', command_uuid: 't', state: 'cancelled' });
    expect(session.life()).toEqual(['t started', 't cancelled']);
  });

  test('a message withdrawn while another runs or waits before it does not end that one', () => {
    const running = startTranslation();
    running.send('t');
    running.hear(say.init(['t']));
    running.send('u');
    running.hear({ type: 'command_lifecycle', command_uuid: 'u', state: 'cancelled' });
    expect(running.life()).toEqual(['t started']);
    running.hear(say.result({ user_message_uuids: ['t'] }));
    expect(running.life().slice(0, 2)).toEqual(['t started', 't completed']);

    const waiting = startTranslation();
    waiting.send('t');
    waiting.send('u');
    waiting.hear({ type: 'command_lifecycle', command_uuid: 'u', state: 'cancelled' });
    expect(waiting.life()).toEqual([]);
  });

  test('only a cancellation withdraws a waiting message', () => {
    const session = startTranslation();
    session.send('t');
    for (const state of ['queued', 'started', 'completed']) {
      session.hear({ type: 'command_lifecycle', command_uuid: 't', state });
      expect(session.life()).toEqual([]);
    }
  });

  test('a steered message is awaited until it was accepted or withdrawn, not only until it was queued', () => {
    const session = startTranslation();
    session.send('t');
    session.hear(say.init(['t']));
    steer(session, 'x');
    const awaited = ['queued', 'started', 'cancelled'].map((state) => {
      session.hear({ type: 'command_lifecycle', command_uuid: 'x', state });
      return session.translator.awaitsSteered();
    });
    expect(awaited).toEqual([true, true, false]);
  });

  test('decision 4: a block without its complete message waits; abandoned it is superseded, confirmed it is complete', () => {
    const session = startTranslation();
    session.send('t');
    session.hear(say.init(['t']), say.start('m'), say.open(0, words('')), say.text(0, 'lost'), say.close(0));
    expect(session.items()).toEqual([]);
    session.hear(say.stop(0), say.system('api_retry', { attempt: 1 }));
    session.hear(say.start('n'), say.open(0, words('')), say.text(0, 'kept'), say.close(0), say.delta('end_turn'));
    expect(session.items()).toEqual(['t:1:0 message error lost', 't:2:0 message complete kept']);
    expect(session.upserts().find(({ status }) => status === 'error')).toMatchObject({ errorCode: 'SUPERSEDED' });
  });

  test('a retracted answer is shown as superseded', () => {
    const session = startTranslation();
    session.send('t');
    session.hear(
      say.init(['t']),
      say.whole('m', words('no'), { uuid: 'w' }),
      say.whole('n', words('yes'), { supersedes: ['w', 'unknown'] }),
    );
    expect(session.items()).toEqual(['t:1:0 message error no', 't:2:0 message complete yes']);
  });

  test("keeps the agent's own ids beside the items", () => {
    const session = startTranslation();
    session.send('t');
    session.hear(
      say.init(['t']),
      say.whole('m', words('a')),
      say.whole('m', { type: 'tool_use', id: 'c', name: 'Bash', input: {} }),
    );
    const sources = session.emissions.flatMap((emission) =>
      emission.kind === 'upsert' && emission.sourceId ? [emission.sourceId] : [],
    );
    expect([...new Set(sources)]).toEqual(['m:0', 'c']);
  });
});
