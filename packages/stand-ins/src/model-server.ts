import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerCall, sendJson } from './answer-call.ts';
import { createTryCounter } from './try-counter.ts';
import { anthropicMessages } from './wire/anthropic-messages.ts';
import { gemini } from './wire/gemini.ts';
import { openaiChat } from './wire/openai-chat.ts';
import { openaiResponses } from './wire/openai-responses.ts';

export interface LoggedRequest {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly userAgent: string;
  readonly body: unknown;
}

export interface StandInOptions {
  readonly port?: number;
  /** Called for every request on arrival. */
  readonly log?: (request: LoggedRequest) => void;
  /** How many of the newest requests `requests` keeps, so a long benchmark doesn't fill the memory. */
  readonly keepRequests?: number;
  /** The pause between the words of `@text` and `@think`. */
  readonly wordMs?: number;
}

export interface StandInModel {
  readonly port: number;
  /** Without a path: Claude Code and Gemini use it as is, OpenAI clients need `/v1` appended. */
  readonly baseUrl: string;
  readonly requests: readonly LoggedRequest[];
  close(): Promise<void>;
}

const wireFormats = [anthropicMessages, openaiResponses, openaiChat, gemini];
const largestBody = 64 * 1024 * 1024;

/** Starts a scripted model on 127.0.0.1. `close` cuts every open stream and never waits for one. */
export async function startStandInModel(options: StandInOptions = {}): Promise<StandInModel> {
  const { port = 0, log, keepRequests = 100, wordMs = 2 } = options;
  const requests: LoggedRequest[] = [];
  const tries = createTryCounter();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/' } = request;
    const path = url.replace(/\?.*$/, '');
    const body = await readBody(request);
    const entry = { at: Date.now(), method, path: url, userAgent: request.headers['user-agent'] ?? '', body };
    requests.push(entry);
    if (requests.length > keepRequests) requests.shift();
    log?.(entry);
    const wire = method === 'POST' ? wireFormats.find((format) => format.accepts(path)) : undefined;
    if (wire) await answerCall({ wire, body, path, response, tries, wordMs });
    else if (method === 'GET' && path.endsWith('/models')) sendJson(response, 200, modelList);
    else sendJson(response, 404, anthropicMessages.error(404, `the stand-in model has no ${method} ${path}`));
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A reader that disconnects is a normal end of a scene; anything else is reported, never swallowed.
      if (response.destroyed) return;
      if (response.headersSent) return void response.destroy();
      const status = error instanceof SyntaxError ? 400 : 500;
      sendJson(response, status, anthropicMessages.error(status, String(error)));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the stand-in model got no port');
  return {
    port: address.port,
    baseUrl: `http://127.0.0.1:${address.port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const modelList = { object: 'list', data: [{ id: 'stand-in', object: 'model', owned_by: 'liminal' }], models: [] };

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody) throw new Error(`request body above ${largestBody} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}
