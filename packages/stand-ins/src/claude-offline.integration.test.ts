import { query } from '@anthropic-ai/claude-agent-sdk';
import type { PermissionResult, Query, SDKMessage, SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claudeHome, projectFolder } from './agent-homes.ts';
import type { AgentHome, TemporaryFolder } from './agent-homes.ts';
import { startStandInModel } from './model-server.ts';
import type { StandInModel } from './model-server.ts';

// The real Claude Code, one process for all scenes: only the model is ours.
let model: StandInModel;
let home: AgentHome;
let project: TemporaryFolder;
let claude: Query;
const input = new TransformStream<SDKUserMessage, SDKUserMessage>(undefined, { highWaterMark: 16 });
const writer = input.writable.getWriter();
const asked: string[] = [];

beforeAll(async () => {
  model = await startStandInModel();
  home = claudeHome(model);
  project = projectFolder();
  claude = query({
    prompt: input.readable,
    options: {
      cwd: project.dir,
      env: home.env,
      settingSources: ['user'],
      includePartialMessages: true,
      canUseTool: async (name, toolInput): Promise<PermissionResult> => {
        asked.push(name);
        return { behavior: 'allow', updatedInput: toolInput };
      },
    },
  });
});
afterAll(async () => {
  claude.close();
  await model.close();
  project.cleanup();
  home.cleanup();
});

async function turn(prompt: string): Promise<SDKMessage[]> {
  asked.length = 0;
  const message = { role: 'user', content: prompt } as const;
  await writer.write({ type: 'user', message, parent_tool_use_id: null, session_id: '' });
  const messages: SDKMessage[] = [];
  for (;;) {
    const { value, done } = await claude.next();
    if (done) throw new Error('Claude Code ended in mid-turn');
    messages.push(value);
    if (value.type === 'result') return messages;
  }
}

const answers = (messages: SDKMessage[]): unknown[] =>
  messages.flatMap((message) => (message.type === 'assistant' ? message.message.content : []));
const deltas = (messages: SDKMessage[]): unknown[] =>
  messages.flatMap((message) =>
    message.type === 'stream_event' && message.event.type === 'content_block_delta' ? [message.event.delta] : [],
  );

describe('the real Claude Code against the stand-in', () => {
  it('streams text', async () => {
    const messages = await turn('@text hello world\n@usage 1200 34');
    expect(deltas(messages)).toEqual([
      { type: 'text_delta', text: 'hello' },
      { type: 'text_delta', text: ' world' },
    ]);
    expect(messages.at(-1)).toMatchObject({
      subtype: 'success',
      result: 'hello world',
      usage: { input_tokens: 1200, output_tokens: 34 },
    });
  });

  it('runs an allowed command, and continues with the script', async () => {
    const messages = await turn('@bash echo "made $((40 + 2))" > made.txt; cat made.txt\n@text finished');
    expect(asked).toEqual(['Bash']);
    const results = messages.map((message) => (message.type === 'user' ? message.message.content : []));
    expect(results.flat()).toMatchObject([{ type: 'tool_result', content: 'made 42', is_error: false }]);
    expect(messages.at(-1)).toMatchObject({ result: 'finished', num_turns: 2 });
  });

  it('thinks before it answers', async () => {
    const messages = await turn('@think let me see\n@text so it is');
    expect(answers(messages)).toMatchObject([
      { type: 'thinking', thinking: 'let me see' },
      { type: 'text', text: 'so it is' },
    ]);
  });

  it('writes a file and starts a subagent', async () => {
    const messages = await turn(
      '@write notes.txt|one\\ntwo\n@task @bash cat notes.txt\\n@text inner done\n@text outer done',
    );
    expect(asked).toContain('Write');
    expect(JSON.stringify(messages)).toContain('inner done');
    expect(messages.at(-1)).toMatchObject({ result: 'outer done' });
  });

  it('continues after its token budget was spent', async () => {
    const messages = await turn('@text part one\n@maxtokens\n@text part two');
    expect(answers(messages)).toMatchObject([{ text: 'part one' }, { text: 'part two' }]);
  });

  it('retries after a lost stream', async () => {
    const messages = await turn('@text half an\n@drop 1\n@text  answer');
    expect(messages).toContainEqual(expect.objectContaining({ type: 'system', subtype: 'api_retry' }));
    // The lost half was already shown, and is sent again.
    expect(deltas(messages).map((delta) => (delta as { text: string }).text)).toEqual([
      'half',
      ' an',
      'half',
      ' an',
      'answer',
    ]);
    expect(messages.at(-1)).toMatchObject({ subtype: 'success', is_error: false });
  });

  it('reports a model error, and works again afterwards', async () => {
    expect((await turn('@error 401 bad key')).at(-1)).toMatchObject({
      is_error: true,
      terminal_reason: 'api_error',
      result: expect.stringContaining('bad key'),
    });
    expect((await turn('hello')).at(-1)).toMatchObject({ is_error: false, result: 'You said: hello' });
  });
});
