import { expect, test, vi } from 'vitest';
import { silentLog } from '../../../processes/testing/silent-log.ts';
import { guardSdkRejections } from './sdk-rejections.ts';

test('logs an SDK write to a process that is gone, and rethrows every other rejection', () => {
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  const log = { ...silentLog, debug: vi.fn<(details: object, message: string) => void>() };
  const release = guardSdkRejections(log);
  const reject = (reason: unknown) => process.emit('unhandledRejection', reason, Promise.resolve());
  try {
    reject(new Error('ProcessTransport is not ready for writing'));
    expect(log.debug).toHaveBeenCalledTimes(1);
    expect(() => reject(new Error('something of ours'))).toThrow('something of ours');
    release();
    expect(process.listenerCount('unhandledRejection')).toBe(0);
  } finally {
    for (const listener of others) process.on('unhandledRejection', listener);
  }
});
