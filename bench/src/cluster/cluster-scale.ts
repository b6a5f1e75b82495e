import { setTimeout as wait } from 'node:timers/promises';
import { startRedis } from '@liminal/stand-ins/testing/start-redis';
import { createClient } from '@redis/client';
import type { Bench, Mode, Row } from '../bench.ts';
import { startHost } from '../host/start-host.ts';
import type { Beaten } from '../jobs/latency-job.ts';
import type { Asked } from '../processes/start-process.ts';
import type { ReaderSpec, Samples } from '../readers/reader-process.ts';
import { startReaders } from '../readers/start-readers.ts';
import { redisProcessorTime } from '../readers/redis-processor-time.ts';
import { quantile } from '../statistics/quantile.ts';

const job = new URL('../jobs/latency-job.ts', import.meta.url);
const readersEach = 3;
/** Updates per second of each session, from quiet to more than fits. */
const rates = [0.5, 1, 2, 4, 8];
/** A user notices longer delays. */
const mostDelayMs = 250;

type Opened = { readonly port: number; readonly token: string; readonly sessionIds: readonly string[] };
type Machine = { readonly host: Asked; readonly opened: Opened };

async function knows({ port, token }: Opened, sessionIds: readonly string[]): Promise<void> {
  for (const sessionId of sessionIds) {
    const url = `http://127.0.0.1:${port}/api/session/${sessionId}/history`;
    while ((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status !== 200) await wait(20);
  }
}

/** Every session is read on another machine than its own, so that each update crosses Redis. */
async function readElsewhere(machines: readonly Machine[]): Promise<Asked> {
  const specs: ReaderSpec[] = [];
  for (const [place, { opened }] of machines.entries()) {
    const there = machines[(place + 1) % machines.length]?.opened ?? opened;
    await knows(there, opened.sessionIds);
    const url = `ws://127.0.0.1:${there.port}/ws`;
    for (const sessionId of opened.sessionIds) {
      const spec: ReaderSpec = { url, token: there.token, deflate: false, sessionIds: [sessionId], keeps: 'stamps' };
      specs.push(...Array.from({ length: readersEach }, () => spec));
    }
  }
  return startReaders(specs);
}

type Step = {
  readonly perSecond: number;
  readonly ms: readonly number[];
  readonly redis: number;
  readonly servers: number;
};

async function measureStep(
  machines: readonly Machine[],
  readers: Asked,
  processorTime: () => Promise<number>,
  { rate, seconds, round }: { rate: number; seconds: number; round: number },
): Promise<Step> {
  const beats = {
    everyMs: 1000 / rate,
    rounds: 1,
    beatsPerRound: Math.ceil(rate * seconds),
    firstRound: round,
    fromDue: true,
  };
  const before = await processorTime();
  const beaten = await Promise.all(machines.map(({ host }) => host.ask<Beaten>('beat', beats)));
  const spent = (await processorTime()) - before;
  const sessions = machines.reduce((sum, { opened }) => sum + opened.sessionIds.length, 0);
  const samples = await readers.ask<Samples>('takeSamples', { count: sessions * readersEach * beats.beatsPerRound });
  const took = Math.max(...beaten.map((one) => one.seconds));
  return {
    perSecond: (sessions * beats.beatsPerRound) / took,
    ms: samples.flatMap(({ ms }) => ms),
    redis: spent / 1e6 / took,
    servers: beaten.reduce((sum, one) => sum + one.cpuSeconds, 0) / took,
  };
}

function rowsOf(rate: number, { perSecond, ms, redis, servers }: Step): Row[] {
  const name = `${Math.round(perSecond).toLocaleString('en')} updates a second (${rate} per session)`;
  return [
    { measure: `${name}: delay on another machine, P50`, value: quantile(ms, 0.5), unit: 'ms' },
    { measure: `${name}: the same, P99`, value: quantile(ms, 0.99), unit: 'ms' },
    { measure: `${name}: CPU cores used by Redis`, value: redis, unit: '' },
    { measure: `${name}: CPU cores used by all servers`, value: servers, unit: '' },
    { measure: `${name}: CPU time of Redis per update`, value: (redis / perSecond) * 1e6, unit: 'µs' },
  ];
}

async function climb(mode: Mode): Promise<{ rows: Row[]; remarks: string[] }> {
  const [servers, sessions, seconds] = mode === 'quick' ? [4, 50, 3] : [10, 100, 10];
  const redis = await startRedis();
  const client = await createClient({ url: redis.url, RESP: 2 }).connect();
  // The servers inherit these variables; each bench runs in its own process.
  Object.assign(process.env, { LIMINAL_REDIS_URL: redis.url, LIMINAL_CLUSTER_SECRET: 'only for this benchmark' });
  const machines: Machine[] = [];
  const rows: Row[] = [];
  try {
    for (let made = 0; made < servers; made += 1) {
      const host = await startHost(job);
      machines.push({ host, opened: await host.ask<Opened>('open', { sessions }) });
    }
    const readers = await readElsewhere(machines);
    const shape = `${servers} servers × ${sessions} sessions × ${readersEach} readers`;
    try {
      await measureStep(machines, readers, () => redisProcessorTime(client), { rate: 1, seconds: 2, round: 0 });
      for (const [round, rate] of rates.entries()) {
        const step = await measureStep(machines, readers, () => redisProcessorTime(client), { rate, seconds, round });
        rows.push(...rowsOf(rate, step));
        if (quantile(step.ms, 0.99) > mostDelayMs) return { rows, remarks: [limitOf(shape, rate, step)] };
      }
      return { rows, remarks: [`${shape}: ${rates.at(-1)} updates per second and session stay below the limit.`] };
    } finally {
      await readers.stop();
    }
  } finally {
    client.destroy();
    for (const { host } of machines) await host.stop();
    await redis.stop();
  }
}

/** Which resource was exhausted first. */
function limitOf(shape: string, rate: number, { redis, servers }: Step): string {
  const cause = redis > 0.9 ? 'the one thread of Redis' : 'the processors of this machine, which all servers share';
  return `${shape}: at ${rate} updates a second of each session the delay passes ${mostDelayMs} ms. What gives first is ${cause}: Redis uses ${redis.toFixed(2)} processors, the servers ${servers.toFixed(2)} together.`;
}

export const clusterScale: Bench = {
  name: 'cluster-scale',
  isLong: true,
  title: 'Several machines: the limits of one Redis',
  measures: `Ten servers (quick: four), each in its own process with 100 sessions (quick: 50), on one redis-server. Each session has ${readersEach} readers on another server, so every update crosses Redis. All sessions send ten words at a time, at a rate that rises step by step until the P99 exceeds ${mostDelayMs} ms, counted from when the words were due. Servers, Redis and readers share the CPU cores of this machine.`,
  run: climb,
};
