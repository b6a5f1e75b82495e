import { createClient } from '@redis/client';
import { answerQuestions } from '../processes/questions.ts';

type Entries = readonly (readonly [string, readonly (readonly [string, readonly string[]])[]])[] | null;

/** Reads a Redis stream without our code. */
await answerQuestions({
  /** Resolves with the elapsed time once this many entries have arrived. */
  async read({ url, key, count }: { url: string; key: string; count: number }): Promise<number> {
    const client = await createClient({ url, RESP: 2 }).connect();
    let [seen, last] = [0, '0-0'];
    while (seen < count) {
      const args = ['XREAD', 'COUNT', '200', 'BLOCK', '1000', 'STREAMS', key, last];
      const [stream] = (await client.sendCommand<Entries>(args)) ?? [];
      seen += stream?.[1].length ?? 0;
      last = stream?.[1].at(-1)?.[0] ?? last;
    }
    client.destroy();
    return seen;
  },
});
process.exit(0);
