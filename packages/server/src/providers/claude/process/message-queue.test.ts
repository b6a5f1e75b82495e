import { describe, expect, test } from 'vitest';
import { createMessageQueue, type MessageReader } from './message-queue.ts';

async function readAll(reader: MessageReader<string>): Promise<readonly string[]> {
  const read: string[] = [];
  for await (const message of reader) read.push(message);
  return read;
}

describe('the queue between a session and its agent', () => {
  test('yields released messages in order, and ends after the last one when closed', async () => {
    const queue = createMessageQueue<string>();
    const reader = queue.openReader();
    const reading = readAll(reader);
    for (const message of ['first', 'second', 'third']) queue.add(message);
    queue.release();
    await Promise.resolve();
    queue.release();
    reader.close();
    expect(await reading).toEqual(['first', 'second']);
    expect(queue.hasWaiting).toBe(true);
  });

  test('a pushed message overtakes waiting ones, but not released ones', async () => {
    const queue = createMessageQueue<string>();
    const reader = queue.openReader();
    queue.add('released');
    queue.add('waiting');
    expect(queue.release()).toBe('released');
    queue.push('steered');
    expect(queue.release()).toBe('waiting');
    expect(queue.release()).toBeUndefined();
    reader.close();
    expect(await readAll(reader)).toEqual(['released', 'steered', 'waiting']);
  });

  test('clear returns the messages that were never released, and nobody reads the rest', async () => {
    const queue = createMessageQueue<string>();
    queue.add('released');
    queue.add('waiting');
    queue.release();
    expect(queue.clear()).toEqual(['waiting']);
    expect(queue.hasWaiting).toBe(false);
    const reader = queue.openReader();
    queue.add('next');
    queue.release();
    reader.close();
    expect(await readAll(reader)).toEqual(['next']);
  });

  test('a reader closed while waiting leaves the next message to the next reader', async () => {
    const queue = createMessageQueue<string>();
    const ended = queue.openReader();
    const readByEnded = readAll(ended);
    await Promise.resolve();
    ended.close();
    const reader = queue.openReader();
    expect(await readByEnded).toEqual([]);
    const reading = readAll(reader);
    await Promise.resolve();
    queue.push('for the next process');
    reader.close();
    expect(await reading).toEqual(['for the next process']);
  });
});
