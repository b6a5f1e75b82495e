import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import type { Store } from '../../store/store.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { forkingProvider } from './testing/forking-provider.ts';
import { createSampleRepository, openRewindSession } from './testing/rewind-session.ts';

describe('a rewind whose conversation the store rejects', () => {
  it.each(['done', 'undone'] as const)('CP-5: leaves the files as they were before it was %s', async (state) => {
    const repository = createSampleRepository();
    const memory = createMemoryStore();
    let isFull = true;
    const store: Store = {
      ...memory,
      async write(writes) {
        if (isFull && writes.some((write) => write.type === 'put-rewind' && write.row.state === state))
          throw new Error('The disk is full.');
        return memory.write(writes);
      },
    };
    const { provider } = forkingProvider();
    const server = await startTestServer({ folder: repository.dir, provider, store });
    try {
      const { turn, rewind, undo, turnIds } = await openRewindSession(server);
      const kept = await turn(() => repository.put('b.txt', 'kept\n'));
      const lost = await turn(() => repository.put('a.txt', 'lost\n'));
      const whole = ['lost\n', [kept, lost]];
      const rewound = ['one\ntwo\nthree\nfour\nfive\n', [kept]];
      const now = async () => [repository.read('a.txt'), await turnIds()];
      if (state === 'done') {
        expect((await rewind(lost)).status).toBe(500);
        expect(await now()).toEqual(whole);
        isFull = false;
        expect((await rewind(lost)).status).toBe(200);
        expect(await now()).toEqual(rewound);
      } else {
        const { rewindId } = (await rewind(lost)).body;
        expect((await undo(rewindId)).status).toBe(500);
        expect(await now()).toEqual(rewound);
        isFull = false;
        expect((await undo(rewindId)).status).toBe(200);
        expect(await now()).toEqual(whole);
      }
    } finally {
      await server.close();
      repository.cleanup();
    }
  });
});
