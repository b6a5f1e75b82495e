import type { ServerResponse } from 'node:http';

/** Answers with a JSON body and is done. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
