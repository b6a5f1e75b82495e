import type { PermissionRequest, SessionHistory, TurnRecord, UpsertObject } from '@liminal/contracts';
import { message, plan, thinking, toolCall } from '@liminal/domain/timeline/testing/messages';
import { projectDir } from './scripted-server.ts';

const events = (turnId: string) => ({ turnId, sessionId: 's' });

export function endedTurn(turnId: string, more: object = {}): TurnRecord {
  return {
    turnId,
    state: 'completed',
    started: { type: 'turn_started', ...events(turnId), modelId: 'm', providerId: 'p' },
    ended: { type: 'turn_complete', ...events(turnId), status: 'completed', durationMs: 34_000, ...more },
  };
}

export const runningTurn = (turnId: string): TurnRecord => ({
  turnId,
  state: 'running',
  started: { type: 'turn_started', ...events(turnId), modelId: 'm', providerId: 'p' },
});

export function failedTurn(turnId: string, errorCode: string, errorMessage: string): TurnRecord {
  return {
    turnId,
    state: 'failed',
    started: { type: 'turn_started', ...events(turnId), modelId: 'm', providerId: 'p' },
    ended: { type: 'turn_error', ...events(turnId), errorCode, errorMessage },
  };
}

/** Gives items their order and their turn. */
export const inOrder = (turnId: string, items: readonly UpsertObject[], from = 0): UpsertObject[] =>
  items.map((item, index) => ({ ...item, turnId, order: from + index }));

const file = `${projectDir}/src/sum.ts`;
const usage = { inputTokens: 12_000, outputTokens: 400, cacheReadInputTokens: 90_000 };
const oldText = 'export function sum(a, b) {\n  return a - b;\n}\n';
const newText =
  '/** The sum of two numbers, whatever they are; a much longer line than a phone is wide, to see how it is shown. */\nexport function sum(a: number, b: number): number {\n  return a + b;\n}\n';
export const sampleDiff = { path: file, oldText, newText };

/** One turn with an item of every kind. */
export function everything(): Partial<SessionHistory> {
  const items = [
    message('t1:0:0', {
      origin: 'user',
      content: 'Mend the sum and tell me what you did.',
      attachments: [{ mimeType: 'image/png', name: 'screen.png', size: 48_000 }],
    }),
    message('t1:n1:0', { origin: 'system', content: 'Session started with claude-test in /home/you/project' }),
    thinking('t1:1:0', { content: 'The person wants the sum mended. '.repeat(12) }),
    toolCall('r1', {
      toolKind: 'read',
      toolName: 'Read',
      toolArguments: { file_path: file },
      toolOutput: '1 export',
      durationMs: 12,
    }),
    toolCall('r2', {
      toolKind: 'search',
      toolName: 'Grep',
      toolArguments: { pattern: 'sum\\(' },
      toolOutput: 'src/sum.ts:1',
    }),
    toolCall('r3', { toolKind: 'read', toolName: 'Read', toolArguments: { file_path: `${projectDir}/package.json` } }),
    plan('t1:2:0', {
      entries: [
        { content: 'Read the code', status: 'completed' },
        { content: 'Mend the sum', status: 'in_progress' },
        { content: 'Run the tests', status: 'pending' },
      ],
    }),
    toolCall('e1', {
      toolKind: 'edit',
      toolName: 'Edit',
      toolArguments: { file_path: file },
      diffs: [sampleDiff],
      durationMs: 140,
    }),
    toolCall('x1', {
      toolKind: 'execute',
      toolName: 'Bash',
      toolArguments: { command: 'npm test' },
      toolOutput: '\u001b[31m✗ sums\u001b[0m \u001b[2m(3 ms)\u001b[0m\n\u001b[32m✓ greets\u001b[0m\n\nexit code 1',
      toolOutputIsError: true,
      durationMs: 3200,
    }),
    toolCall('x2', {
      toolKind: 'execute',
      toolName: 'Bash',
      toolArguments: { command: 'rm -rf build' },
      toolOutput: "The user doesn't want to proceed with this tool use.",
      toolOutputIsError: true,
    }),
    toolCall('a1', {
      toolKind: 'think',
      toolName: 'Task',
      callId: 'agent-1',
      toolArguments: { description: 'Find every caller of sum', prompt: 'Find **every** caller of `sum`.' },
      toolOutput: 'There are **two** callers.',
      durationMs: 21_000,
    }),
    toolCall('a1-1', {
      toolKind: 'search',
      toolName: 'Grep',
      parentCallId: 'agent-1',
      toolArguments: { pattern: 'sum' },
    }),
    toolCall('a1-2', {
      toolKind: 'execute',
      toolName: 'Bash',
      parentCallId: 'agent-1',
      toolArguments: { command: 'ls' },
      toolOutput: 'a\nb',
    }),
    toolCall('f1', {
      toolKind: 'fetch',
      toolName: 'WebFetch',
      toolArguments: { url: 'https://example.org/docs' },
      toolOutput: 'Docs',
    }),
    toolCall('o1', {
      toolKind: 'other',
      toolName: 'mcp__github__create_issue',
      toolArguments: { title: 'A title', body: 'x' },
    }),
    message('gone', { content: 'superseded words', status: 'error', errorCode: 'SUPERSEDED' }),
    message('t1:9:0', {
      content:
        'I mended it. See [the manual](https://example.org/manual).\n\n```ts\n/** The larger of two numbers. */\nexport function larger(a: number, b: number): number {\n  return a > b ? a : b; // "text"\n}\n```\n\n| word | meaning |\n| --- | --- |\n| sum | adds |\n\n1. one\n2. two\n   - three\n',
    }),
  ];
  return { entries: inOrder('t1', items), turns: [endedTurn('t1', { usage, costUsd: 0.04 })] };
}

const options: PermissionRequest['options'] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  {
    optionId: 'always',
    name: 'Always allow npm test',
    kind: 'allow_always',
    description: 'Allows exactly “npm test” in this project; kept in .claude/settings.local.json',
  },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];
export const editOptions: PermissionRequest['options'] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'edits', name: 'Allow edits this session', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];
const openedAt = '2026-01-01T00:00:00.000Z';

export function request(requestId: string, fields: Partial<PermissionRequest> = {}): PermissionRequest {
  return {
    requestId,
    turnId: 't1',
    kind: 'tool',
    title: 'npm test',
    toolName: 'Bash',
    toolArguments: { command: 'npm test', description: 'Run the tests' },
    options,
    openedAt,
    ...fields,
  };
}

const sendOrNot: PermissionRequest['options'] = [
  { optionId: 'accept', name: 'Send', kind: 'allow_once' },
  { optionId: 'decline', name: 'Decline', kind: 'reject_once' },
];

export const requests = {
  command: () => request('command'),
  edit: () =>
    request('edit', {
      title: 'Edit src/sum.ts',
      toolName: 'Edit',
      toolArguments: { file_path: file },
      diffs: [sampleDiff],
    }),
  plan: () =>
    request('plan', {
      kind: 'plan',
      title: 'Approve this plan?',
      toolArguments: { plan: '# The plan\n\n1. Read **everything**\n2. Mend `sum`\n' },
      options: [
        { optionId: 'go', name: 'Start, asking before edits', kind: 'allow_once' },
        { optionId: 'no', name: 'Keep planning', kind: 'reject_once' },
      ],
    }),
  questions: () =>
    request('questions', {
      kind: 'question',
      title: 'Two questions',
      toolArguments: {},
      options: sendOrNot,
      questions: [
        {
          id: 'colour',
          header: 'Colour',
          question: 'Which colour?',
          multiSelect: false,
          freeText: true,
          options: [{ label: 'Blue', description: 'Calm' }, { label: 'Green' }],
        },
        {
          id: 'parts',
          question: 'Which parts?',
          multiSelect: true,
          freeText: false,
          options: [{ label: 'Head' }, { label: 'Foot' }],
        },
      ],
    }),
  form: () =>
    request('form', {
      kind: 'form',
      title: 'Where shall it go?',
      toolArguments: {},
      options: sendOrNot,
      schema: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', title: 'Name', minLength: 2 },
          port: { type: 'integer', title: 'Port', minimum: 1, maximum: 65535 },
          place: { enum: ['here', 'there'], title: 'Place' },
          secure: { type: 'boolean', title: 'Encrypted', default: true },
        },
      },
    }),
};
