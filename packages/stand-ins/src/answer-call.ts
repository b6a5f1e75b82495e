import type { ServerResponse } from 'node:http';
import { callId, findScene, say } from './conversation.ts';
import type { Scene } from './conversation.ts';
import { sampleOf } from './json-sample.ts';
import { drop, hang, streamReply, wholeReply } from './perform.ts';
import type { Performance } from './perform.ts';
import { stepsOfTry } from './steps.ts';
import { chooseTools } from './tool-choice.ts';
import type { TryCounter } from './try-counter.ts';
import { uniqueId } from './wire/wire-format.ts';
import type { ModelRequest, WireFormat } from './wire/wire-format.ts';

export interface IncomingCall {
  readonly wire: WireFormat;
  readonly body: unknown;
  readonly path: string;
  readonly response: ServerResponse;
  readonly tries: TryCounter;
  readonly wordMs: number;
}

/** Answers one model call with its script. Rejects when the reader disconnects before the end. */
export async function answerCall({ wire, body, path, response, tries, wordMs }: IncomingCall): Promise<void> {
  const request = wire.read(body, path);
  const scene = sceneOf(request);
  const steps = stepsOfTry(
    scene.steps,
    tries.next([request.conversation, request.model, scene.at, scene.prompt, scene.round]),
  );
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const show: Performance = {
    steps,
    calls: (wish) => chooseTools(wish, request),
    callId: (index) => callId(scene.round, index, uniqueId('u').slice(2, 10)),
    wordMs,
    signal: gone.signal,
  };
  const refusal = steps.find((step) => step.kind !== 'usage');
  if (refusal?.kind === 'error') sendJson(response, refusal.status, wire.error(refusal.status, refusal.message));
  else if (request.stream) await streamReply(show, wire.encode(request), response);
  else await sendWhole(show, request, wire, response);
}

function sceneOf(request: ModelRequest): Scene {
  // A request with a JSON schema asks for a title or a review of the scripted turn. It isn't the turn itself.
  if (request.schema !== undefined)
    return { at: -1, prompt: '', round: 0, steps: [say(JSON.stringify(sampleOf(request.schema)))] };
  const scene = findScene(request.events);
  if (request.tools.length > 0) return scene;
  const spoken = scene.steps.filter((step) => step.kind !== 'call');
  return { ...scene, steps: spoken.length > 0 ? spoken : [say('Done.')] };
}

async function sendWhole(
  show: Performance,
  request: ModelRequest,
  wire: WireFormat,
  response: ServerResponse,
): Promise<void> {
  const reply = wholeReply(show);
  if (!('kind' in reply)) return sendJson(response, 200, wire.whole(request, reply));
  switch (reply.kind) {
    case 'hang':
      return hang(show.signal);
    case 'drop':
      return drop(response, show.signal);
    case 'error':
      return sendJson(response, reply.status, wire.error(reply.status, reply.message));
    case 'fail':
      return sendJson(response, 500, wire.error(500, reply.message));
  }
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
