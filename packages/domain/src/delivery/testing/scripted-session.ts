import type { PermissionRequest, TurnEvent, UpsertObject } from '@liminal/contracts';
import { isEnded, textOf, withText } from '../../items/item-text.ts';
import type { ChangeBody } from '../change.ts';

/** Random numbers; their meaning depends on the state of the session. */
export type Step = { readonly what: number; readonly which: number; readonly size: number };

const sessionId = 'session-1';
const words = 'so 😀 we read the file, then\nwe change one line and run the tests again '.split(/(?<= )/u);

/** A session that does something valid for any numbers; undefined if nothing is possible. */
export function createScriptedSession(): (step: Step) => ChangeBody | undefined {
  const items: UpsertObject[] = [];
  const permissions: PermissionRequest[] = [];
  let turn = 0;
  let running = false;
  let clock = 0;

  const base = () => ({ turnId: `turn-${turn}`, sessionId, sourceTimestamp: time(), emittedAt: time() });
  const time = () => `2026-01-01T00:00:${String((clock += 1) % 60).padStart(2, '0')}.000Z`;
  const text = (size: number) => Array.from({ length: size }, (_, at) => words[(at + clock) % words.length]).join('');

  const itemChange = (
    item: UpsertObject,
    at: number,
    appended?: { appendedFrom: number; text: string },
  ): ChangeBody => {
    items[at] = item;
    return { type: 'session:upsert', payload: item, ...(appended && { appended }) };
  };

  const start = ({ which, size }: Step): ChangeBody => {
    const order = items.length;
    const common = { ...base(), itemId: `turn-${turn}:1:${order}`, status: 'create' as const, order };
    const content = text(size % 3);
    const states: UpsertObject[] = [
      { type: 'message', ...common, content, origin: 'agent' },
      { type: 'thinking', ...common, content, providerId: 'demo' },
      { type: 'tool_call', ...common, toolName: 'Read', toolArguments: {}, callId: `call-${order}`, toolKind: 'read' },
      { type: 'plan', ...common, entries: [] },
    ];
    return itemChange(states[which % states.length] ?? fail(), order);
  };

  const openItem = (which: number): number => {
    const open = items.flatMap((item, at) => (isEnded(item) ? [] : [at]));
    return open[which % Math.max(1, open.length)] ?? -1;
  };

  const grow = ({ which, size }: Step, status: 'update' | 'complete' | 'error'): ChangeBody | undefined => {
    const at = openItem(which);
    const item = items[at];
    if (!item) return undefined;
    const error = status === 'error' ? { errorCode: 'MODEL_ERROR', errorMessage: 'It broke.' } : {};
    if (item.type === 'plan') return itemChange({ ...item, status, ...error, emittedAt: time() }, at);
    const added = text(size);
    const next = { ...withText(item, textOf(item) + added), status, ...error, emittedAt: time() };
    return itemChange(next, at, { appendedFrom: textOf(item).length, text: added });
  };

  const replace = ({ which, size }: Step): ChangeBody | undefined => {
    const at = openItem(which);
    const item = items[at];
    if (item?.type !== 'tool_call') return undefined;
    return itemChange({ ...item, status: 'update', toolOutput: text(size % 4), title: `Read ${clock}` }, at);
  };

  const turnStep = ({ which }: Step): ChangeBody => {
    if (!running) turn += 1;
    running = !running;
    const { turnId } = base();
    const ended: TurnEvent[] = [
      { type: 'turn_complete', turnId, sessionId, status: 'completed', durationMs: which },
      { type: 'turn_complete', turnId, sessionId, status: 'cancelled' },
      { type: 'turn_error', turnId, sessionId, errorCode: 'PROCESS_CRASH', errorMessage: 'It died.' },
    ];
    const started: TurnEvent = { type: 'turn_started', turnId, sessionId, modelId: 'demo', providerId: 'demo' };
    return { type: 'session:turn', payload: running ? started : (ended[which % 3] ?? fail()) };
  };

  const permission = ({ which, size }: Step): ChangeBody => {
    const open = permissions.at(-1);
    if (open && size % 2 === 0) {
      permissions.pop();
      return { type: 'session:permission', payload: { state: which % 2 === 0 ? 'answered' : 'ended', request: open } };
    }
    const request: PermissionRequest = {
      requestId: `request-${(clock += 1)}`,
      turnId: base().turnId,
      kind: 'tool',
      title: 'Run npm test',
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
      openedAt: time(),
    };
    permissions.push(request);
    return { type: 'session:permission', payload: { state: 'open', request } };
  };

  const value = ({ which, size }: Step): ChangeBody => {
    const activity = size % 2 === 0 ? 'working' : 'idle';
    const queue = Array.from({ length: size % 3 }, (_, at) => ({
      turnId: `q-${at}`,
      content: text(2),
      createdAt: time(),
    }));
    const values: ChangeBody[] = [
      { type: 'session:status', payload: { state: 'open', activity, isAlive: true } },
      { type: 'session:queue', payload: { queue } },
      { type: 'session:info', payload: { title: text(3) } },
    ];
    return values[which % values.length] ?? fail();
  };

  return (step) => {
    if (turn === 0) return turnStep(step);
    switch (step.what % 12) {
      case 0:
      case 1:
        return start(step);
      case 2:
        return grow(step, 'complete');
      case 3:
        return step.which % 4 === 0 ? grow(step, 'error') : replace(step);
      case 4:
        return turnStep(step);
      case 5:
        return permission(step);
      case 6:
        return value(step);
      default:
        return grow(step, 'update');
    }
  };
}

function fail(): never {
  throw new Error('no such choice');
}
