import { expect, test } from 'vitest';
import { silentLog } from '../../processes/testing/silent-log.ts';
import { createHeldEvents } from './held-events.ts';

test('holds events until the first listener, then delivers them in order and once', () => {
  const events = createHeldEvents<[number]>(silentLog);
  events.emit(1);
  events.emit(2);
  const first: number[] = [];
  const second: number[] = [];
  events.listen((event) => first.push(event));
  events.listen((event) => second.push(event));
  events.emit(3);
  expect(first).toEqual([1, 2, 3]);
  expect(second).toEqual([3]);
});

test('a listener that throws doesn’t stop the others', () => {
  const events = createHeldEvents<[number]>(silentLog);
  const heard: number[] = [];
  events.listen(() => {
    throw new Error('no');
  });
  const stop = events.listen((event) => heard.push(event));
  events.emit(1);
  stop();
  events.emit(2);
  expect(heard).toEqual([1]);
});
