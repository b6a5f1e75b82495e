import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { connect } from '@liminal/client/connect';
import { type Program, sourceMain, startProgram } from '@liminal/stand-ins/testing/start-program';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';

const project = mkdtempSync(join(tmpdir(), 'confidential-project-'));
afterAll(() => rmSync(project, { recursive: true }));
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Prints every part of OpenTelemetry that the program loads to stderr. */
const watchLoading = `--import=data:text/javascript,${encodeURIComponent(
  `import{registerHooks}from'node:module';registerHooks({load(url,context,next){if(url.includes('/@opentelemetry/'))process.stderr.write('loaded '+url+'\\n');return next(url,context)}})`,
)}`;

type Answer = (request: IncomingMessage, reply: ServerResponse) => void;
const takes: Answer = (_request, reply) => reply.setHeader('content-type', 'application/json').end('{}');

async function receiver(answer: Answer = takes) {
  const bodies: { readonly path: string; readonly text: string }[] = [];
  const server = createServer((request, reply) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      bodies.push({ path: request.url ?? '', text });
      answer(request, reply);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

function start(env: Record<string, string>): Program {
  const usual = { LIMINAL_DEMO_SPEED: '20', OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_METRIC_EXPORT_INTERVAL: '200' };
  // Runs from source, where each part of OpenTelemetry is a separate file.
  const program = startProgram({ main: sourceMain, env: { ...usual, NODE_OPTIONS: watchLoading, ...env } });
  cleanups.push(() => program.stop());
  return program;
}

/** Runs one turn of the demo agent that thinks, requests a tool and answers. Returns its session. */
async function turn(program: Program, content: string): Promise<string> {
  const { port, token } = await program.ready;
  const client = connect({ url: `http://127.0.0.1:${port}/`, token });
  const created = await client.session.create({ cliType: 'demo', projectDir: project });
  if (!created.ok) throw new Error(created.failure.message);
  const session = client.open(created.value.sessionId);
  const sent = await session.send(content);
  if (!sent.ok) throw new Error(sent.failure.message);
  const { progress } = await session.settled(sent.value.turnId);
  expect(progress.state).toBe('done');
  return created.value.sessionId;
}

const until = (holds: () => boolean) => vi.waitFor(() => expect(holds()).toBe(true), { timeout: 60_000, interval: 20 });

const named = (bodies: readonly { readonly text: string }[]): string[] =>
  bodies.flatMap(({ text }) => [...text.matchAll(/"name":"(liminal\.[^"]+)"/g)].map(([, name = '']) => name));

describe('PK-4: OpenTelemetry', { timeout: 120_000 }, () => {
  it('sends all traces and metrics before it ends, and no message content', async () => {
    const { url, bodies } = await receiver();
    const program = start({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
    });
    const sessionId = await turn(program, 'tool confidential-words-of-mine');
    await until(() => named(bodies).includes('liminal.turn'));
    expect(bodies.map(({ path }) => path)).toEqual(expect.arrayContaining(['/v1/traces']));
    // Stays queued until everything is sent at the end.
    await turn(program, 'tool confidential-words-of-mine');
    const { token } = await program.ready;
    await program.stop();
    expect(await program.exited).toEqual({ code: 0, signal: null });
    const spans = bodies.filter(({ path }) => path === '/v1/traces');
    const metrics = bodies.filter(({ path }) => path === '/v1/metrics');
    expect(named(spans).filter((name) => name === 'liminal.turn')).toHaveLength(2);
    const spanNames = ['liminal.turn.first_token', 'liminal.tool', 'liminal.store.write', 'liminal.agent.start'];
    expect(named(spans)).toEqual(expect.arrayContaining([...spanNames, 'liminal.agent.process']));
    const of = ['turns', 'turn.duration', 'turn.first_token', 'delivery.messages', 'delivery.duration'];
    const more = ['store.write.duration', 'store.write.rows', 'agent.starts', 'agent.deaths', 'agent.running'];
    expect(named(metrics)).toEqual(expect.arrayContaining([...of, ...more].map((name) => `liminal.${name}`)));
    const all = bodies.map(({ text }) => text).join('\n');
    expect(all).toContain(sessionId);
    expect(all).toContain('deployment.environment');
    expect(program.stderr()).toContain('/@opentelemetry/');
    const secrets = ['confidential', basename(project), tmpdir(), 'npm test', 'run_command', 'tests', token];
    for (const secret of secrets) expect(all).not.toContain(secret);
  });

  it('tolerates a receiver that is missing, answers nonsense or hangs, and logs it once', async () => {
    const absent = await receiver();
    await cleanups.pop()?.();
    let [lies, isHanging] = [0, false];
    const bad = await receiver((_request, reply) => {
      if (!isHanging) reply.writeHead(200).end('<html>'.repeat(1_000_000));
      lies += 1;
    });
    const program = start({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${absent.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '300',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${bad.url}/v1/metrics`,
    });
    await turn(program, 'tool please');
    await until(() => program.stderr().includes('OpenTelemetry data could not be sent') && lies > 1);
    isHanging = true;
    await turn(program, 'and again');
    await program.stop();
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(program.stderr().match(/could not be sent/g)).toHaveLength(1);
  });

  it('loads nothing of it without a receiver', async () => {
    const program = start({});
    await program.ready;
    await program.stop();
    expect(program.stderr()).not.toContain('@opentelemetry');
  });
});
