import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startRedis } from '@liminal/stand-ins/testing/start-redis';
import { createClient } from '@redis/client';
import type { Bench, Mode, Row } from '../bench.ts';
import { startPair, type Pair } from '../host/start-pair.ts';
import type { Flooded } from '../jobs/deliveries-job.ts';
import type { Samples } from '../readers/reader-process.ts';
import { startProcess } from '../processes/start-process.ts';
import { redisProcessorTime } from '../readers/redis-processor-time.ts';
import { startReaders } from '../readers/start-readers.ts';
import { median, noiseOf, quantile } from '../statistics/quantile.ts';

const latencyJob = new URL('../jobs/latency-job.ts', import.meta.url);
const floodJob = new URL('../jobs/deliveries-job.ts', import.meta.url);
const counterFile = fileURLToPath(new URL('../readers/frame-counter-process.ts', import.meta.url));
const streamFile = fileURLToPath(new URL('../readers/stream-process.ts', import.meta.url));
const warmUpRounds = 2;
/** How many on each side, in each round. */
const changes = 10_000;

type Opened = { readonly port: number; readonly barePort: number; readonly token: string };

/** The delay of the same updates on the agent's machine and on another one, alternating every second. */
async function measureDelay(mode: Mode): Promise<Row[]> {
  const pair = await startPair(latencyJob);
  try {
    const opened = await pair.owner.ask<Opened & { sessionIds: string[] }>('open', { sessions: 1 });
    await pair.knows(opened.sessionIds[0] ?? '');
    const spec = { token: opened.token, deflate: false, keeps: 'stamps', sessionIds: opened.sessionIds } as const;
    const here = await startReaders([{ ...spec, url: `ws://127.0.0.1:${opened.port}/ws` }]);
    const there = await startReaders([{ ...spec, url: `ws://127.0.0.1:${pair.other.port}/ws` }]);
    try {
      const rounds = warmUpRounds + (mode === 'quick' ? 6 : 30);
      const beats = { everyMs: 10, rounds, beatsPerRound: 100, firstRound: 0 };
      await pair.owner.ask('beat', beats);
      const count = beats.rounds * beats.beatsPerRound * 0.5;
      const [near, far] = [
        await here.ask<Samples>('takeSamples', { count }),
        await there.ask<Samples>('takeSamples', { count }),
      ];
      return [delayRow('P50', 0.5, far, near), delayRow('P99', 0.99, far, near)];
    } finally {
      await here.stop();
      await there.stop();
    }
  } finally {
    await pair.stop();
  }
}

function delayRow(name: string, part: number, far: Samples, near: Samples): Row {
  const of = (samples: Samples) =>
    samples.filter(({ round }) => round >= warmUpRounds).map(({ ms }) => quantile(ms, part));
  const [value, baseline] = [median(of(far)), median(of(near))];
  return {
    measure: `delay on another machine, ${name}, compared with the agent’s machine`,
    value,
    unit: 'ms',
    noise: noiseOf(of(far)),
    baseline,
    ratio: value / baseline,
    ...(part === 0.5 ? { budget: 'one machine crossed' } : {}),
  };
}

/** The time Redis itself needs for an update of a short text, of a long one, and for a plain entry of the same size. */
async function measureGrowth(mode: Mode): Promise<Row[]> {
  const beats = { everyMs: 10, rounds: 1, beatsPerRound: mode === 'quick' ? 300 : 1_500, firstRound: 0, fromDue: true };
  const perUpdate = async (textBytes: number): Promise<number> => {
    const pair = await startPair(latencyJob);
    const client = await createClient({ url: pair.redis.url, RESP: 2 }).connect();
    const counter = await startProcess(counterFile);
    try {
      const opened = await pair.owner.ask<Opened & { sessionIds: string[] }>('open', { sessions: 1, textBytes });
      const sessionId = opened.sessionIds[0] ?? '';
      await pair.knows(sessionId);
      await counter.ask('open', { ...opened, sessionId, port: pair.other.port, subscribers: 1, deflate: false });
      await pair.owner.ask('beat', { ...beats, beatsPerRound: 150 });
      const before = await redisProcessorTime(client);
      await pair.owner.ask('beat', beats);
      return ((await redisProcessorTime(client)) - before) / beats.beatsPerRound;
    } finally {
      client.destroy();
      await counter.stop();
      await pair.stop();
    }
  };
  const alone = await bareUpdates(beats);
  const [short, long] = [await perUpdate(0), await perUpdate(10_000_000)];
  return [
    {
      measure: 'CPU time of Redis per streamed update, compared with an XADD of the same bytes',
      value: short,
      unit: 'µs',
      baseline: alone,
      ratio: short / alone,
      budget: 'an update costs Redis',
    },
    {
      measure: 'the same for a text of 10 MB, compared with a short one',
      value: long,
      unit: 'µs',
      baseline: short,
      ratio: long / short,
      budget: 'an update costs Redis what changed',
    },
  ];
}

/** At the same pace, with a reader that waits for each. */
async function bareUpdates({ everyMs, beatsPerRound }: { everyMs: number; beatsPerRound: number }): Promise<number> {
  const redis = await startRedis();
  const reader = await startProcess(streamFile);
  const client = await createClient({ url: redis.url, RESP: 2 }).connect();
  try {
    const read = reader.ask('read', { url: redis.url, key: 'bare', count: beatsPerRound });
    const before = await redisProcessorTime(client);
    for (let sent = 0; sent < beatsPerRound; sent += 1) {
      await client.sendCommand(['XADD', 'bare', 'MAXLEN', '~', '1000', '*', 'p', '1', 's', '2', 'd', bareAppend]);
      await wait(everyMs);
    }
    await read;
    return ((await redisProcessorTime(client)) - before) / beatsPerRound;
  } finally {
    client.destroy();
    await reader.stop();
    await redis.stop();
  }
}

const bareAppend = JSON.stringify([
  {
    type: 'session:append',
    seq: 1,
    payload: {
      itemId: '00000000-0000-0000-0000-000000000000:1:1',
      offset: 1_000,
      text: '⟦ours 0 0000000000000000⟧ and then the next few words of the answer come along here',
    },
  },
]);

/** The size of one change of the flood in bytes, for the bare stream. */
const bareChange = JSON.stringify([
  {
    type: 'session:upsert',
    seq: 1,
    payload: {
      type: 'message',
      turnId: '00000000-0000-0000-0000-000000000000',
      sessionId: 'scripted-1',
      itemId: '00000000-0000-0000-0000-000000000000:1:1',
      sourceTimestamp: '2026-01-01T00:00:00.000Z',
      emittedAt: '2026-01-01T00:00:00.000Z',
      status: 'create',
      content:
        'The accumulator gathers what the agent says and tells it in pieces: first words soon, long answers in larger ones. ',
      origin: 'agent',
      order: 1,
    },
  },
]);

/** One entry for each change, as fast as they can be sent, read by another process. */
async function bareStream(pair: Pair, count: number): Promise<number> {
  const reader = await startProcess(streamFile);
  const writer = await createClient({ url: pair.redis.url, RESP: 2 }).connect();
  try {
    const key = `bare:${performance.now()}`;
    const read = reader.ask('read', { url: pair.redis.url, key, count });
    const began = performance.now();
    for (let sent = 0; sent < count; sent += 400) {
      const some = Array.from({ length: Math.min(400, count - sent) }, () =>
        writer.sendCommand(['XADD', key, 'MAXLEN', '~', '1000000', '*', 'p', '1', 's', '2', 'd', bareChange]),
      );
      await Promise.all(some);
    }
    await read;
    const perSecond = (count / (performance.now() - began)) * 1000;
    await writer.sendCommand(['DEL', key]);
    return perSecond;
  } finally {
    writer.destroy();
    await reader.stop();
  }
}

async function measureFlood(mode: Mode): Promise<{ rows: Row[]; remarks: string[] }> {
  const pair = await startPair(floodJob);
  const counter = await startProcess(counterFile);
  const client = await createClient({ url: pair.redis.url, RESP: 2 }).connect();
  try {
    const opened = await pair.owner.ask<Opened & { sessionId: string }>('open');
    await pair.knows(opened.sessionId);
    await counter.ask('open', { ...opened, port: pair.other.port, subscribers: 1, deflate: false });
    const rounds = mode === 'quick' ? 3 : 10;
    const [ours, bare, oursUs, bareUs]: [number[], number[], number[], number[]] = [[], [], [], []];
    let memory: Row[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const start = await redisProcessorTime(client);
      const flooded = await pair.owner.ask<Flooded>('flood', { side: 'ours', items: changes });
      const middle = await redisProcessorTime(client);
      const alone = await bareStream(pair, changes);
      if (round < 0) {
        memory = await memoryRows(client, opened.sessionId);
        continue;
      }
      ours.push(flooded.perSecond);
      bare.push(alone);
      oursUs.push((middle - start) / changes);
      bareUs.push(((await redisProcessorTime(client)) - middle) / changes);
    }
    const rows: Row[] = [
      {
        measure: 'changes through Redis to a browser on another machine, compared with bare XADD and XREAD',
        value: median(ours),
        unit: '/s',
        noise: noiseOf(ours),
        baseline: median(bare),
        ratio: median(ours) / median(bare),
        budget: 'changes through Redis',
      },
      {
        measure: 'CPU time of Redis per change',
        value: median(oursUs),
        unit: 'µs',
        noise: noiseOf(oursUs),
        baseline: median(bareUs),
        ratio: median(oursUs) / median(bareUs),
      },
    ];
    return { rows: [...rows, ...memory], remarks: [] };
  } finally {
    client.destroy();
    await counter.stop();
    await pair.stop();
  }
}

type Client = { sendCommand<T>(args: readonly string[]): Promise<T> };

async function memoryRows(client: Client, sessionId: string): Promise<Row[]> {
  const key = (part: string) => `liminal:session:${sessionId}:${part}`;
  const usage = async (part: string) =>
    (await client.sendCommand<number | null>(['MEMORY', 'USAGE', key(part), 'SAMPLES', '0'])) ?? 0;
  const items = await client.sendCommand<number>(['HLEN', key('items')]);
  const values = await client.sendCommand<string[]>(['HVALS', key('items')]);
  const text = values.reduce((sum, value) => sum + Buffer.byteLength(value), 0);
  const [state, index, changes] = [await usage('items'), await usage('index'), await usage('changes')];
  const mb = (bytes: number) => bytes / 1024 / 1024;
  const whole = state + index + changes;
  return [
    {
      measure: `memory in Redis for a session of ${items.toLocaleString('en')} items, compared with their JSON`,
      value: mb(whole),
      unit: 'MB',
      baseline: mb(text),
      ratio: whole / text,
    },
    { measure: 'of that, the newest states', value: mb(state), unit: 'MB' },
    { measure: 'of that, the order of items and turns', value: mb(index), unit: 'MB' },
    { measure: 'of that, the last changes', value: mb(changes), unit: 'MB' },
  ];
}

export const cluster: Bench = {
  name: 'cluster',
  isLong: true,
  title: 'Several machines: the cost of crossing Redis',
  measures:
    'Two servers and a redis-server on this machine, each in its own process. Delay: the scripted provider calls back 50 times a second with about ten words, and a client of each server notes when the frame arrives. Changes per second: new items of about 400 bytes, as fast as a browser on the other server accepts them. The baseline is a bare stream of entries of the same size, written by one process (400 in flight) and read by another. Memory: what Redis reports for the keys of that session, compared with its items as JSON.',
  async run(mode) {
    const delay = await measureDelay(mode);
    const growth = await measureGrowth(mode);
    const { rows, remarks } = await measureFlood(mode);
    return { rows: [...delay, ...growth, ...rows], remarks };
  },
};
