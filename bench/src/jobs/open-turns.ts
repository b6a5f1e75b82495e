import { setTimeout as wait } from 'node:timers/promises';
import type { UpsertObject } from '@liminal/contracts';
import type { BenchHost } from '../host/bench-host.ts';

export type OpenTurn = { readonly sessionId: string; readonly turnId: string };

const at = '2026-01-01T00:00:00.000Z';

/** Sessions with a running turn, ready for output. */
export async function openTurns(host: BenchHost, count: number): Promise<OpenTurn[]> {
  const turns: OpenTurn[] = [];
  for (let made = 0; made < count; made += 1) turns.push(await send(host, await host.newSession()));
  return turns;
}

/** Ends the turn, and starts the next one of its session. */
export async function sendAgain(host: BenchHost, { sessionId }: OpenTurn): Promise<OpenTurn> {
  host.provider.end(sessionId);
  return send(host, sessionId);
}

async function send(host: BenchHost, sessionId: string): Promise<OpenTurn> {
  const before = host.provider.sent.length;
  const { status, body } = await host.call('POST', `/api/session/${sessionId}/send`, { content: 'Go on.' });
  if (status !== 202) throw new Error(`A message was refused: ${JSON.stringify(body)}`);
  while (!host.provider.sent.slice(before).some((sent) => sent.sessionId === sessionId)) await wait(1);
  host.provider.start(sessionId);
  return { sessionId, turnId: (body as { turnId: string }).turnId };
}

/** An agent's output, as its translator would pass it to the session. */
export function messageOf(
  { sessionId, turnId }: OpenTurn,
  itemId: string,
  content: string,
  status: UpsertObject['status'],
): UpsertObject {
  return {
    type: 'message',
    turnId,
    sessionId,
    itemId,
    sourceTimestamp: at,
    emittedAt: at,
    status,
    content,
    origin: 'agent',
  };
}
