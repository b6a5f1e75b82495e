import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import type { ToolReply, Tools } from './tools.ts';

const sessionId = z.string().min(1).describe('The id of a session, as list_sessions or start_session gave it');

/** Offers the tools over standard input and output. Resolves when the other side is gone. */
export async function serveTools(tools: Tools): Promise<void> {
  const server = new McpServer({ name: 'liminal-builder', version: '1' });
  const answered = async (reply: Promise<ToolReply>) => {
    const result = await reply;
    const text = result.ok ? JSON.stringify(result.value) : result.message;
    return { content: [{ type: 'text' as const, text }], ...(!result.ok && { isError: true }) };
  };
  const readOnly = { readOnlyHint: true };
  server.registerTool(
    'list_sessions',
    { description: 'Lists the sessions of this project and what each needs.', annotations: readOnly },
    () => answered(tools.list()),
  );
  server.registerTool(
    'start_session',
    {
      description: 'Starts another coding agent in this project with a message. Use wait for its answer.',
      inputSchema: {
        agent: z.enum(['claude-code', 'codex', 'demo']),
        message: z.string().min(1).describe('What it should do'),
        folder: z.string().optional().describe('One of the allowed folders; by default the first one'),
      },
    },
    (given) => answered(tools.start(given)),
  );
  server.registerTool(
    'send_message',
    {
      description: 'Sends another message to a session that you started.',
      inputSchema: { sessionId, message: z.string().min(1) },
    },
    (given) => answered(tools.send(given)),
  );
  server.registerTool(
    'wait',
    {
      description: 'Waits until a session is done, failed or needs the user, and returns its answer.',
      inputSchema: {
        sessionId,
        seconds: z.number().positive().max(600).optional().describe('At most; 60 by default'),
      },
      annotations: readOnly,
    },
    (given) => answered(tools.wait(given)),
  );
  server.registerTool(
    'read_session',
    {
      description: 'Reads the last turns of a session as text.',
      inputSchema: { sessionId, turns: z.int().positive().max(20).optional() },
      annotations: readOnly,
    },
    (given) => answered(tools.read(given)),
  );
  server.registerTool(
    'review_session',
    {
      description: 'Lists the files that changed during a session, or returns the patch of one of them.',
      inputSchema: { sessionId, path: z.string().min(1).optional() },
      annotations: readOnly,
    },
    (given) => answered(tools.review(given)),
  );
  const transport = new StdioServerTransport();
  const ended = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await server.connect(transport);
  await ended;
}
