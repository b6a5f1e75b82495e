import { expect, test } from 'vitest';
import { ProviderError } from '../../provider-error.ts';
import { createAgentStarts } from './agent-starts.ts';
import { AgentRefused } from './failures.ts';

const died = (restartable: boolean): ProviderError =>
  new ProviderError('PROTOCOL_ERROR', 'no', new AgentRefused(1001, 'it died', { restartable }));

test('runs the first start alone, and later ones in parallel', async () => {
  const starts = createAgentStarts();
  const gates = [0, 1, 2].map(() => Promise.withResolvers<number>());
  const begun: number[] = [];
  const runs = gates.map((gate, index) =>
    starts.run(() => {
      begun.push(index);
      return gate.promise;
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0]);
  gates[0]?.resolve(0);
  expect(await runs[0]).toBe(0);
  await new Promise(setImmediate);
  expect(begun).toEqual([0, 1, 2]);
  gates[2]?.resolve(2);
  expect(await runs[2]).toBe(2);
  gates[1]?.resolve(1);
  await runs[1];
});

test('runs the next start alone if the first fails', async () => {
  const starts = createAgentStarts();
  const first = starts.run(() => Promise.reject(new Error('no')));
  const second = starts.run(() => Promise.resolve('yes'));
  await expect(first).rejects.toThrow('no');
  expect(await second).toBe('yes');
});

test('Q15: retries a start that another one broke, only once', async () => {
  let tries = 0;
  const failing = (times: number, error: unknown) => () =>
    tries++ < times ? Promise.reject(error) : Promise.resolve('up');
  expect(await createAgentStarts().run(failing(1, died(true)))).toBe('up');
  tries = 0;
  await expect(createAgentStarts().run(failing(2, died(true)))).rejects.toThrow('no');
  expect(tries).toBe(2);
  tries = 0;
  await expect(createAgentStarts().run(failing(1, died(false)))).rejects.toThrow('no');
  expect(tries).toBe(1);
});
