import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startStandInModel } from './model-server.ts';
import type { StandInModel, StandInOptions } from './model-server.ts';
import { eventsIn } from './testing/sse.ts';

let model: StandInModel;
const restart = async (options: StandInOptions): Promise<void> => {
  await model.close();
  model = await startStandInModel(options);
};
beforeEach(async () => {
  model = await startStandInModel({ wordMs: 0 });
});
afterEach(() => model.close());

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(model.baseUrl + path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
const claude = (prompt: string, rest: object = {}): Promise<Response> =>
  post('/v1/messages?beta=true', {
    stream: true,
    tools: [{ name: 'Bash' }],
    messages: [{ role: 'user', content: prompt }],
    ...rest,
  });
const textIn = (stream: string): string =>
  eventsIn(stream)
    .map(({ delta }) => (delta as { text?: string } | undefined)?.text ?? '')
    .join('');

describe('the stand-in model', () => {
  it('speaks all four wire formats', async () => {
    const prompt = '@text hello world';
    const streams = await Promise.all([
      claude(prompt),
      post('/v1/responses', { stream: true, input: prompt }),
      post('/v1/chat/completions', { stream: true, messages: [{ role: 'user', content: prompt }] }),
      post('/v1beta/models/g:streamGenerateContent?alt=sse', {
        contents: [{ role: 'user', parts: [{ text: prompt }] }],
      }),
    ]);
    for (const response of streams) {
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      const stream = await response.text();
      expect(stream).toContain('"hello"');
      expect(stream).toContain('" world"');
    }
  });

  it('answers in one piece when asked not to stream', async () => {
    const reply = await claude('@think hm\n@text hello world\n@bash ls', { stream: false });
    expect(await reply.json()).toMatchObject({
      content: [
        { thinking: 'hm' },
        { text: 'hello world' },
        { type: 'tool_use', name: 'Bash', input: { command: 'ls' } },
      ],
      stop_reason: 'tool_use',
    });
  });

  it("continues after a tool by the call's id alone", async () => {
    const script = { role: 'user', content: '@bash ls\n@text finished' };
    const first = eventsIn(await (await claude('', { messages: [script] })).text());
    const { id } = first[1]!['content_block'] as { id: string };
    await restart({ wordMs: 0 });
    const messages = [
      script,
      { role: 'assistant' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id }] },
    ];
    expect(textIn(await (await claude('', { messages })).text())).toBe('finished');
  });

  it("answers with the scripted status, in the vendor's error format", async () => {
    const refused = await claude('@error 529 busy');
    expect(refused.status).toBe(529);
    expect(await refused.json()).toEqual({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } });
    const late = await (await claude('@text part\n@error 500 boom')).text();
    expect(eventsIn(late).at(-1)).toMatchObject({ type: 'error', error: { message: 'boom' } });
  });

  it('drops the first tries of a request after half an answer, then answers it', async () => {
    const prompt = '@text part\n@drop 2\n@text whole';
    for (const _ of [1, 2]) {
      const cut = await claude(prompt);
      await expect(cut.text()).rejects.toThrow();
    }
    expect(textIn(await (await claude(prompt)).text())).toBe('partwhole');
    const other = await claude(prompt, { metadata: { user_id: 'another session' } });
    await expect(other.text()).rejects.toThrow();
  });

  it('answers a request for a JSON schema, and calls no tool if none is offered', async () => {
    const schema = { type: 'object', properties: { title: { type: 'string' } } };
    const title = await claude('@bash rm -rf x', { output_config: { format: { schema } } });
    expect(JSON.parse(textIn(await title.text()))).toEqual({ title: 'Scripted answer' });
    expect(textIn(await (await claude('@bash ls', { tools: [] })).text())).toBe('Done.');
  });

  it('keeps the rate of a long answer', async () => {
    const start = performance.now();
    const text = textIn(await (await claude('@words 400 2000')).text());
    expect(text.split(/\s+/)).toHaveLength(400);
    const seconds = (performance.now() - start) / 1000;
    expect(seconds).toBeGreaterThan(0.19);
  });

  it('closes immediately despite a hanging stream, and may be closed twice', async () => {
    const hanging = await claude('@text begun\n@hang');
    const read = hanging.text();
    const failed = expect(read).rejects.toThrow();
    await Promise.all([model.close(), model.close()]);
    await failed;
    await expect(fetch(model.baseUrl)).rejects.toThrow();
  });

  it('survives a reader that disconnects mid-answer', async () => {
    const reader = new AbortController();
    const response = await fetch(`${model.baseUrl}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: '@slow 1000 1000' }] }),
      signal: reader.signal,
    });
    await response.body?.getReader().read();
    reader.abort();
    expect(textIn(await (await claude('@text alive')).text())).toBe('alive');
  });

  it('keeps only the newest requests, and reports each', async () => {
    const seen: string[] = [];
    await restart({ wordMs: 0, keepRequests: 2, log: ({ path }) => seen.push(path) });
    for (const path of ['/a', '/b', '/c']) await fetch(model.baseUrl + path);
    expect(seen).toEqual(['/a', '/b', '/c']);
    expect(model.requests.map(({ path }) => path)).toEqual(['/b', '/c']);
  });

  it('rejects other paths, lists its models and survives a body that is not JSON', async () => {
    expect((await post('/v1/messages/count_tokens?beta=true', {})).status).toBe(404);
    expect(await (await fetch(`${model.baseUrl}/v1/models`)).json()).toMatchObject({ object: 'list' });
    expect((await post('/v1/messages', '{nonsense')).status).toBe(400);
  });
});
