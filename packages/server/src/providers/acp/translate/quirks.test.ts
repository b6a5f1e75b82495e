import type { TurnEvent, UpsertObject } from '@liminal/contracts';
import { readRecording } from '@liminal/stand-ins/recordings';
import { describe, expect, test } from 'vitest';
import type { ReplayedHistory } from '../../provider.ts';
import { quirksOf } from './quirks.ts';
import { replayRecording, type ReplayedEvent } from '../recording/replay-recording.ts';
import { replayedLines } from '../recording/replayed-lines.ts';

type File = Parameters<typeof replayed>[0];

/** The sorted result of a recording. */
function replayed(file: `${'codex' | 'other-agents'}/${string}`) {
  const events: readonly ReplayedEvent[] = replayRecording(readRecording(file));
  const upserts = events.flatMap((event) => (event.kind === 'upsert' ? [event.upsert] : []));
  return {
    events,
    upserts,
    items: [...new Map(upserts.map((upsert) => [upsert.itemId, upsert])).values()],
    turns: events.flatMap((event) => (event.kind === 'turn' ? [event.event] : [])),
    permissions: events.flatMap((event) => (event.kind === 'permission' ? [event.request] : [])),
    history: events.flatMap((event) => (event.kind === 'history' ? [event.history] : [])).at(-1),
  };
}

const callsOf = (items: readonly UpsertObject[]) => items.filter((item) => item.type === 'tool_call');
const terminals = (turns: readonly TurnEvent[]) => turns.filter((event) => event.type !== 'turn_started');
const sentMethods = (file: File): unknown[] => readRecording(file).map(({ msg }) => msg['method']);

test('Q1: refusing ends the whole turn as cancelled, and the option says so', () => {
  const { turns, permissions, items } = replayed('codex/04-permission-reject.jsonl');
  expect(terminals(turns)).toMatchObject([{ type: 'turn_complete', status: 'cancelled' }]);
  expect(permissions[0]?.options).toContainEqual(
    expect.objectContaining({ optionId: 'cancel', kind: 'reject_once', description: 'This ends the turn.' }),
  );
  expect(callsOf(items)).toMatchObject([{ status: 'complete', toolOutputIsError: true, awaitingPermission: false }]);
});

test('Q2: every failure sent as end_turn is a turn_error with its text, and no message', () => {
  const { turns, items } = replayed('codex/15-errors.jsonl');
  expect(terminals(turns).map((event) => ('errorCode' in event ? event.errorCode : event.type))).toEqual([
    'MODEL_ERROR',
    'RATE_LIMITED',
    'AGENT_AUTH_REQUIRED',
    'MODEL_ERROR',
    'MODEL_ERROR',
    'MODEL_ERROR',
    'MODEL_ERROR',
    'turn_complete',
  ]);
  const words = items.flatMap((item) => (item.type === 'message' ? [item.content] : []));
  expect(words.some((content) => /429|high demand|bad request|disconnected/.test(content))).toBe(false);
});

test('Q3: reads shell output from where Codex puts it, beside the content', () => {
  expect(callsOf(replayed('codex/02-shell.jsonl').items)[0]).toMatchObject({
    status: 'complete',
    toolOutput: expect.stringMatching(/\S/) as string,
  });
});

test('Q4: text and calls of a cancelled turn keep their status, and never become complete or error', () => {
  const { turns, upserts } = replayed('codex/09-cancel-text.jsonl');
  const cancelled = terminals(turns).find((event) => 'status' in event && event.status === 'cancelled');
  const own = upserts.filter(({ turnId }) => turnId === cancelled?.turnId);
  expect(own.length).toBeGreaterThan(0);
  expect(own.every(({ status }) => status === 'create' || status === 'update')).toBe(true);
});

test('Q5: cancel during an open permission request ends the call and the turn, and the next turn runs', () => {
  const { turns, items } = replayed('codex/11-cancel-permission.jsonl');
  expect(sentMethods('codex/11-cancel-permission.jsonl')).toContain('$/cancel_request');
  expect(terminals(turns)).toMatchObject([{ status: 'cancelled' }, { status: 'completed' }]);
  expect(callsOf(items)).toMatchObject([{ status: 'complete', toolOutputIsError: true }]);
});

test('Q6: output after the turn’s end still belongs to its call', () => {
  const { events, items } = replayed('codex/34-background.jsonl');
  const end = events.findIndex((event) => event.kind === 'turn' && event.event.type === 'turn_complete');
  const late = events.slice(end + 1).flatMap((event) => (event.kind === 'upsert' ? [event.upsert] : []));
  expect(late.at(-1)).toMatchObject({ type: 'tool_call', status: 'complete', itemId: callsOf(items)[0]?.itemId });
  expect(callsOf(items)[0]?.toolOutput).toMatch(/tick 6/);
});

test('Q7: a call first seen in a permission request is created by it', () => {
  const { upserts, permissions } = replayed('other-agents/gemini.jsonl');
  const { callId } = permissions[0] ?? {};
  const own = callsOf(upserts).filter((upsert) => upsert.callId === callId);
  expect(own[0]).toMatchObject({ status: 'create', awaitingPermission: true });
  expect(own.at(-1)).toMatchObject({ status: 'complete', awaitingPermission: false });
});

describe('Q9: load', () => {
  const textOf = (history: ReplayedHistory | undefined, origin: string): string[] =>
    (history?.entries ?? []).flatMap(({ upsert }) =>
      upsert.type === 'message' && upsert.origin === origin ? [upsert.content] : [],
    );

  test('Q9, TC-4.1b: live messages are replayed under the same agent ids', () => {
    const { history } = replayed('codex/13b-load.jsonl');
    const live = replayed('codex/13a-first-process.jsonl');
    expect(textOf(history, 'user').length).toBeGreaterThan(0);
    const sessionId = history?.entries[0]?.upsert.sessionId;
    const answers = live.items.flatMap((item) =>
      item.type === 'message' && item.origin === 'agent' && item.sessionId === sessionId ? [item.content] : [],
    );
    expect(answers.length).toBeGreaterThan(0);
    expect(textOf(history, 'agent')).toEqual(expect.arrayContaining(answers));
    const ids = (history?.entries ?? []).map(({ sourceId }) => sourceId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('Q9: two loads of one record give the same result', () => {
    expect(replayed('codex/13b-load.jsonl').history).toEqual(replayed('codex/13b-load.jsonl').history);
  });

  test('Q11: a crash keeps the finished messages of the interrupted turn', () => {
    expect(textOf(replayed('codex/22b-after-crash.jsonl').history, 'user').length).toBeGreaterThan(0);
    expect(terminals(replayed('codex/22-crash.jsonl').turns).at(-1)).toMatchObject({
      type: 'turn_error',
      errorCode: 'PROCESS_CRASH',
    });
  });
});

test('Q10: a load answers with another mode than was set before', () => {
  const modeOf = (file: File): unknown[] =>
    readRecording(file).flatMap(({ msg }) => {
      const { configOptions } = (msg['result'] ?? {}) as { configOptions?: { id: string; currentValue: unknown }[] };
      return (configOptions ?? []).filter(({ id }) => id === 'mode').map(({ currentValue }) => currentValue);
    });
  expect(modeOf('codex/45-mode-persist.jsonl').at(-1)).toBe('read-only');
  expect(modeOf('codex/45b-mode-persist.jsonl')[0]).not.toBe('read-only');
});

test('Q15: the death of the app-server fails its turn as a crash, and the session continues', () => {
  expect(terminals(replayed('codex/38-app-server-killed.jsonl').turns)).toMatchObject([
    { status: 'completed' },
    { type: 'turn_error', errorCode: 'PROCESS_CRASH' },
    { status: 'completed' },
  ]);
});

test('Q16: notifications before the session exists are ignored', () => {
  const methods = sentMethods('codex/01-text.jsonl');
  expect(methods.indexOf('_auth/status_update')).toBeGreaterThan(0);
  const { events } = replayed('codex/01-text.jsonl');
  expect(events[0]).toMatchObject({ kind: 'turn', event: { type: 'turn_started' } });
});

test('Q17: a question of Codex becomes one request with its choices', () => {
  expect(replayed('codex/19-elicit.jsonl').permissions).toMatchObject([
    { kind: 'question', questions: [{ question: 'Which colour?' }] },
  ]);
});

test.each(['codex/53-cancel-then-prompt.jsonl', 'codex/54-two-prompts-at-once.jsonl'] as const)(
  'Q13: a prompt sent during a running turn (%s) has its own turn, when the one before has ended',
  (file) => {
    const { turns, upserts } = replayed(file);
    expect(turns.map(({ type, turnId }) => [type, turnId])).toEqual([
      ['turn_started', 'turn-1'],
      ['turn_complete', 'turn-1'],
      ['turn_started', 'turn-2'],
      ['turn_complete', 'turn-2'],
    ]);
    const answers = upserts.flatMap((upsert) =>
      upsert.type === 'message' && upsert.status === 'complete' ? [[upsert.turnId, upsert.content]] : [],
    );
    expect(answers.at(-1)).toEqual(['turn-2', 'the second']);
  },
);

test('a replay has the permission requests between the upserts they belong to', () => {
  const lines = replayedLines(replayed('codex/03-permission-allow.jsonl').events);
  const asked = lines.findIndex((line) => 'permission' in line);
  expect(lines[asked - 1]).toMatchObject({ upsert: { type: 'tool_call', awaitingPermission: true } });
  expect(lines[asked + 1]).toMatchObject({ upsert: { type: 'tool_call', awaitingPermission: false } });
});

test('shows a plan sent as Markdown in full, and doesn’t count it as unknown', () => {
  const { events, items, permissions } = replayed('codex/51-plan-markdown.jsonl');
  expect(events.filter(({ kind }) => kind === 'unknown')).toEqual([]);
  expect(items[0]).toMatchObject({
    type: 'message',
    origin: 'agent',
    status: 'complete',
    content: '# Rename the module\n\n1. Move the file\n2. Fix the imports\n',
  });
  expect(permissions).toMatchObject([{ kind: 'plan' }]);
});

test('shows the answer of /status as the agent’s answer, in Markdown', () => {
  expect(replayed('codex/52-status.jsonl').items[0]).toMatchObject({
    type: 'message',
    origin: 'agent',
    content: expect.stringMatching(/^\*\*Model:\*\*/) as string,
  });
});

test('a permanent option says where it is stored', () => {
  const kept = (file: File) =>
    replayed(file).permissions.flatMap(({ options }) => options.filter(({ kind }) => kind === 'allow_always'));
  expect(kept('codex/55-mcp-permission.jsonl')).toMatchObject([
    { optionId: 'allow_session', description: 'For this session only.' },
    { optionId: 'allow_always', description: expect.stringContaining('config.toml') as string },
  ]);
  for (const file of ['codex/05-permission-always.jsonl', 'other-agents/claude-agent-acp-0.49.jsonl'] as const) {
    expect(kept(file).length).toBeGreaterThan(0);
    for (const option of kept(file)) expect(option.description).toMatch(/^(Applies|For|Stored) /);
  }
});

test('removes the code block that claude-agent-acp puts around output', () => {
  const calls = callsOf(replayed('other-agents/claude-agent-acp-0.49.jsonl').items);
  expect(calls.map(({ toolOutput }) => toolOutput)).toEqual([
    'one\ntwo',
    "Exit code 2\nls: cannot access '/nowhere': No such file or directory",
    expect.stringMatching(/^File created/) as string,
    '1\talpha\n2\tbeta',
  ]);
});

test('leaves commands in the record of an older claude-agent-acp out of the user’s messages', () => {
  const { history } = replayed('other-agents/claude-agent-acp-0.23-load.jsonl');
  const texts = history?.entries.map(({ upsert }) => 'content' in upsert && upsert.content);
  expect(texts).toEqual(['@text Same words.', 'Same words.', '@text Last words.', 'Last words.']);
});

describe('tool calls and texts on recorded streams', () => {
  test.each(['codex/01-text.jsonl', 'other-agents/opencode.jsonl', 'other-agents/gemini.jsonl'] as const)(
    'TC-4.2a: the chunks of %s accumulate in one message that never shrinks',
    (file) => {
      const messages = replayed(file).upserts.filter(
        (upsert) => upsert.type === 'message' && upsert.origin === 'agent',
      );
      expect(messages.length).toBeGreaterThan(0);
      for (const states of Map.groupBy(messages, ({ itemId }) => itemId).values()) {
        const texts = states.map((state) => ('content' in state ? state.content : ''));
        for (const [index, text] of texts.slice(1).entries()) expect(text.startsWith(texts[index] ?? '')).toBe(true);
      }
    },
  );

  test.each(['codex/02-shell.jsonl', 'codex/06-patch.jsonl', 'other-agents/opencode.jsonl'] as const)(
    'TC-4.2b, TC-4.2c: the calls of %s are created, and completed under the same itemId',
    (file) => {
      const calls = callsOf(replayed(file).upserts);
      expect(calls.length).toBeGreaterThan(0);
      for (const states of Map.groupBy(calls, ({ callId }) => callId).values()) {
        expect(states[0]?.status).toBe('create');
        expect(states.at(-1)?.status).toBe('complete');
        expect(new Set(states.map(({ itemId }) => itemId)).size).toBe(1);
      }
    },
  );
});

test('identifies an agent by the name it gives itself, whatever its entry is called', () => {
  expect(quirksOf({ agentInfo: { name: '@agentclientprotocol/codex-acp' } }).notesLackIds).toBe(true);
  expect(quirksOf({ agentInfo: { name: 'gemini-cli' } }).notesLackIds).toBe(false);
  expect(quirksOf(undefined).notesLackIds).toBe(false);
});
