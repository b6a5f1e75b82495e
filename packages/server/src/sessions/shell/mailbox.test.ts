import { describe, expect, it } from 'vitest';
import { createMailbox } from './mailbox.ts';

describe('a mailbox', () => {
  it('runs a task immediately when idle, and later ones in order', async () => {
    const order: string[] = [];
    const mailbox = createMailbox(() => {});
    mailbox.post(() => order.push('first'));
    expect(order).toEqual(['first']);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const running = mailbox.run(async () => {
      await held;
      order.push('run');
    });
    mailbox.post(() => order.push('posted'));
    const second = mailbox.run(async () => order.push('second'));
    expect(order).toEqual(['first']);
    release();
    await Promise.all([running, second]);
    expect(order).toEqual(['first', 'run', 'posted', 'second']);
  });

  it('runs a task enqueued by another only after that one is done', async () => {
    const order: string[] = [];
    const mailbox = createMailbox(() => {});
    let nested: Promise<unknown> = Promise.resolve();
    mailbox.post(() => {
      nested = mailbox.run(async () => order.push('run'));
      mailbox.post(() => order.push('posted'));
      order.push('outer');
    });
    await nested;
    await mailbox.run(async () => order.push('last'));
    expect(order).toEqual(['outer', 'run', 'posted', 'last']);
  });

  it('continues after a task that throws', async () => {
    const errors: unknown[] = [];
    const mailbox = createMailbox((error) => errors.push(error));
    mailbox.post(() => {
      throw new Error('posted');
    });
    await expect(mailbox.run(() => Promise.reject(new Error('run')))).rejects.toThrow('run');
    expect(await mailbox.run(async () => 'fine')).toBe('fine');
    expect(errors.map(String)).toEqual(['Error: posted']);
  });
});
