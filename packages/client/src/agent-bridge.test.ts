import { describe, expect, it, vi } from 'vitest';
import { createAgentBridge, type BridgeSocket } from './agent-bridge.ts';

function socketDouble(readyState = 1) {
  const listeners = new Map<string, ((event: { data: unknown }) => void)[]>();
  const socket = {
    readyState,
    sent: [] as { id: string; channel: string; args: unknown[] }[],
    send: (data: string) => void socket.sent.push(JSON.parse(data) as (typeof socket.sent)[number]),
    addEventListener: (type: string, listener: (event: { data: unknown }) => void) =>
      void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    emit: (type: string, data?: unknown) => {
      for (const listener of listeners.get(type) ?? [])
        listener({ data: typeof data === 'object' ? JSON.stringify(data) : data });
    },
  };
  return socket;
}
const text = (piece: string) => ({
  type: 'agent_text',
  msg_id: 'm',
  session_id: 's',
  turn_id: 't',
  text: piece,
  done: false,
});
const event = (taskId: string, piece: string) => ({
  type: 'event',
  channel: 'agent:message',
  taskId,
  message: text(piece),
});

describe('BR-1: the typed client of the bridge', () => {
  it('BR-1: matches each answer to its call', async () => {
    const socket = socketDouble();
    const bridge = createAgentBridge(socket as BridgeSocket);
    const first = bridge.invoke('agent:send', 'a', 'hello');
    const second = bridge.invoke('agent:set-model', 'a', 'm1');
    expect(socket.sent.map(({ channel, args }) => [channel, args])).toEqual([
      ['agent:send', ['a', 'hello']],
      ['agent:set-model', ['a', 'm1']],
    ]);
    socket.emit('message', { type: 'result', id: socket.sent[1]!.id, success: false, error: 'not supported' });
    socket.emit('message', { type: 'result', id: socket.sent[0]!.id, success: true, turnId: 't1' });
    expect(await first).toEqual({ success: true, turnId: 't1' });
    expect(await second).toEqual({ success: false, error: 'not supported' });
  });

  it('BR-1: delivers messages to the listeners of their task, and to those of all tasks', () => {
    const socket = socketDouble();
    const bridge = createAgentBridge(socket as BridgeSocket);
    const ofA = vi.fn();
    const ofAll = vi.fn();
    const stop = bridge.onMessage('a', ofA);
    bridge.onMessage(ofAll);
    socket.emit('message', event('a', 'one'));
    socket.emit('message', event('b', 'two'));
    socket.emit('message', '{"type":"session:upsert"');
    socket.emit('message', '{"type":"event"');
    stop();
    socket.emit('message', event('a', 'three'));
    expect(ofA.mock.calls).toEqual([[text('one'), 'a']]);
    expect(ofAll.mock.calls.map(([, taskId]) => taskId as string)).toEqual(['a', 'b', 'a']);
  });

  it('BR-1: holds calls until the socket opens, and fails open calls when it closes', async () => {
    const socket = socketDouble(0);
    const bridge = createAgentBridge(socket as BridgeSocket);
    const call = bridge.invoke('agent:stop', 'a');
    expect(socket.sent).toEqual([]);
    socket.readyState = 1;
    socket.emit('open');
    expect(socket.sent).toHaveLength(1);
    socket.readyState = 3;
    socket.emit('close');
    expect(await call).toMatchObject({ success: false });
    expect(await bridge.invoke('agent:stop', 'a')).toMatchObject({ success: false });
  });
});
