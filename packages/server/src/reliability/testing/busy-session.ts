import type { PermissionRequest, UpsertObject } from '@liminal/contracts';
import { isEnded, textOf, withText } from '@liminal/domain/items/item-text';
import type { TestServer } from '../../testing/test-server.ts';
import type { Random } from './random.ts';
import { until } from './until.ts';

export type BusySession = {
  readonly sessionId: string;
  /** Performs one action that a user or an agent can do now. */
  step(): Promise<void>;
  /** Ends everything running and queued, and marks that in the title. */
  finish(title: string): Promise<void>;
  /** The final text and state of every item from the agent. */
  readonly said: ReadonlyMap<string, UpsertObject>;
};

const at = '2026-01-01T00:00:00.000Z';
const words = ['so ', '😀 ', 'we read the file, ', 'then\n', 'change one line ', 'and run the tests again. '];

/** A user and an agent that act at random, through the real routes and the provider's callbacks. */
export async function createBusySession(server: TestServer, random: Random): Promise<BusySession> {
  const { provider, call } = server;
  const sessionId = await server.newSession();
  const path = `/api/session/${sessionId}`;
  const said = new Map<string, UpsertObject>();
  const asked: PermissionRequest[] = [];
  let turnId: string | null = null;
  let made = 0;

  const must = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown): Promise<unknown> => {
    const reply = await call(method, url, body);
    if (reply.status >= 400) throw new Error(`${method} ${url}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const text = (size: number): string => Array.from({ length: size }, () => random.pick(words)).join('');
  const openItems = (): UpsertObject[] => [...said.values()].filter((item) => item.turnId === turnId && !isEnded(item));
  const publish = (item: UpsertObject, appended?: { appendedFrom: number; text: string }): void => {
    said.set(item.itemId, item);
    provider.upsert(sessionId, item, appended);
  };

  const begin = async (): Promise<void> => {
    const before = provider.sent.length;
    await must('POST', `${path}/send`, { content: `question ${(made += 1)} ${text(2)}` });
    await takeUp(before);
  };
  /** Waits until the session's next message reaches the agent, and accepts it. */
  const takeUp = async (before: number): Promise<void> => {
    const mine = () => provider.sent.slice(before).find((sent) => sent.sessionId === sessionId);
    await until(() => mine() !== undefined, 'a message that reaches the agent');
    turnId = mine()?.options?.turnId ?? null;
    provider.start(sessionId);
  };
  const start = (): void => {
    const place = (made += 1);
    const base = {
      turnId: turnId ?? '',
      sessionId,
      itemId: `${turnId}:${place}:0`,
      sourceTimestamp: at,
      emittedAt: at,
      status: 'create' as const,
    };
    publish(
      random.pick<UpsertObject>([
        { type: 'message', ...base, content: text(2), origin: 'agent' },
        { type: 'thinking', ...base, content: text(1), providerId: 'scripted' },
        { type: 'tool_call', ...base, toolName: 'Read', toolArguments: {}, callId: `call-${place}` },
        { type: 'plan', ...base, entries: [{ content: text(1), status: 'pending' }] },
      ]),
    );
  };
  const grow = (status: 'update' | 'complete'): void => {
    const item = random.pick(openItems());
    if (!item) return start();
    const added = item.type === 'plan' ? '' : text(1 + random.below(20));
    const next = { ...withText(item, textOf(item) + added), status };
    publish(next, item.type === 'plan' ? undefined : { appendedFrom: textOf(item).length, text: added });
  };
  const replace = (): void => {
    const calls = openItems().filter((item) => item.type === 'tool_call');
    const item = random.pick(calls);
    if (item) publish({ ...item, status: 'update', title: text(1), toolOutput: text(random.below(5)) });
  };
  /** Ends a turn. If a message is queued, it is sent next, and this accepts it. */
  const afterTurn = async (end: () => void | Promise<unknown>): Promise<void> => {
    const before = provider.sent.length;
    const waits = ((await call('GET', `${path}/queue`)).body.queue as unknown[]).length > 0;
    await end();
    turnId = null;
    asked.length = 0;
    if (waits) await takeUp(before);
  };
  const fail = () =>
    provider.end(sessionId, { type: 'turn_error', errorCode: 'MODEL_ERROR', errorMessage: 'It broke.' });
  const end = (): Promise<void> =>
    afterTurn(random.pick([() => provider.end(sessionId), fail, () => must('POST', `${path}/cancel`)]));
  const ask = (): void => {
    const options = [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' as const },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' as const },
    ];
    const request = {
      requestId: `${sessionId}-${(made += 1)}`,
      turnId: turnId ?? '',
      kind: 'tool' as const,
      title: 'ls',
      options,
      openedAt: at,
    };
    asked.push(request);
    provider.ask(sessionId, request);
  };
  const answer = async (): Promise<void> => {
    const request = asked.pop();
    if (request)
      await must('POST', `${path}/permission`, { requestId: request.requestId, optionId: random.pick(['yes', 'no']) });
  };
  const queue = async (): Promise<void> => {
    const { turnId: queued } = (await must('POST', `${path}/send`, { content: text(3) })) as { turnId: string };
    if (random.chance(0.4)) await must('PATCH', `${path}/queue/${queued}`, { content: text(2) });
    if (random.chance(0.6)) await must('DELETE', `${path}/queue/${queued}`);
  };
  const rename = () => must('PATCH', path, { title: `Title ${(made += 1)}`, archived: random.chance(0.5) });
  const die = async (): Promise<void> => {
    await afterTurn(() => provider.die(sessionId));
    if (turnId === null) await must('POST', `${path}/load`);
  };

  return {
    sessionId,
    said,
    async step() {
      if (turnId === null) return begin();
      const roll = random.next();
      if (roll < 0.6) return grow('update');
      if (roll < 0.7) return start();
      if (roll < 0.8) return grow('complete');
      if (roll < 0.86) return replace();
      if (roll < 0.89) return ask();
      if (roll < 0.92) return answer();
      if (roll < 0.95) return queue();
      if (roll < 0.97) return end();
      if (roll < 0.99) return void (await rename());
      return die();
    },
    async finish(title) {
      while (turnId !== null) await afterTurn(() => provider.end(sessionId));
      await must('PATCH', path, { title });
    },
  };
}
