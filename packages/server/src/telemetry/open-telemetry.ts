import { type Attributes, context, diag, DiagLogLevel, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from '../observe/logger.ts';
import { createInstruments } from './instruments.ts';
import { plainName } from './plain-name.ts';
import type { Telemetry, TurnTrace, WantedTelemetry } from './telemetry.ts';

const closeMs = 2_000;
const sameWarningMs = 10 * 60_000;

/** The only file that uses OpenTelemetry's interfaces: spans and metrics, sent as JSON over HTTP. */
export function createOpenTelemetry(wanted: WantedTelemetry, version: string, log: Logger): Telemetry {
  diag.setLogger(quietLogger(log), DiagLogLevel.WARN);
  const own = resourceFromAttributes({ 'service.name': 'liminal-builder', 'service.version': version });
  // The user's own service attributes take precedence.
  const resource = own.merge(detectResources({ detectors: [envDetector] }));
  const spanProcessors = wanted.traces
    ? [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: wanted.traceDelayMs })]
    : [];
  const exportIntervalMillis = wanted.metricIntervalMs;
  const readers = wanted.metrics
    ? [
        new PeriodicExportingMetricReader({
          exporter: new OTLPMetricExporter(),
          exportIntervalMillis,
          exportTimeoutMillis: Math.min(exportIntervalMillis, 10_000),
        }),
      ]
    : [];
  const traces = new TracerProvider({ resource, spanProcessors });
  const metrics = new MeterProvider({ resource, readers });
  const tracer = traces.getTracer('liminal-builder', version);
  const count = createInstruments(metrics.getMeter('liminal-builder', version));
  const before = (ms: number): number => Date.now() - ms;
  /** Records something that is already over. */
  const record = (name: string, ms: number, isOk: boolean, attributes: Attributes): void => {
    const span = tracer.startSpan(name, { startTime: before(ms), attributes });
    if (!isOk) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };

  return {
    turn({ sessionId, turnId, agent: given }): TurnTrace {
      const agent = { 'liminal.agent': plainName(given) };
      const since = performance.now();
      const seconds = () => (performance.now() - since) / 1000;
      const ids = { 'liminal.session.id': plainName(sessionId), 'liminal.turn.id': plainName(turnId) };
      const span = tracer.startSpan('liminal.turn', { attributes: { ...agent, ...ids } });
      const within = trace.setSpan(context.active(), span);
      const parts = new Map<string, Span>();
      const begin = (id: string, name: string, attributes: Attributes): void => {
        if (!parts.has(id)) parts.set(id, tracer.startSpan(name, { attributes }, within));
      };
      const finish = (id: string, isOk: boolean): void => {
        const part = parts.get(id);
        if (!isOk) part?.setStatus({ code: SpanStatusCode.ERROR });
        part?.end();
        parts.delete(id);
      };
      begin('first token', 'liminal.turn.first_token', agent);
      return {
        started(modelId) {
          span.setAttribute('liminal.model', plainName(modelId));
          span.addEvent('started');
        },
        firstToken() {
          finish('first token', true);
          count.firstToken.record(seconds(), agent);
        },
        toolBegan: (callId, kind) => begin(`tool ${callId}`, 'liminal.tool', { 'liminal.tool.kind': plainName(kind) }),
        toolEnded: (callId, isOk) => finish(`tool ${callId}`, isOk),
        asked: (requestId) => begin(`request ${requestId}`, 'liminal.permission', {}),
        answered: (requestId) => finish(`request ${requestId}`, true),
        ended({ outcome, code, usage }) {
          const how = {
            ...agent,
            'liminal.outcome': outcome,
            ...(code === undefined ? {} : { 'error.type': plainName(code) }),
          };
          for (const part of parts.values()) part.end();
          parts.clear();
          count.turns.add(1, how);
          count.turnTime.record(seconds(), how);
          if (usage) {
            count.tokens.add(usage.inputTokens, { ...agent, 'liminal.direction': 'input' });
            count.tokens.add(usage.outputTokens, { ...agent, 'liminal.direction': 'output' });
          }
          span.setAttributes(how);
          if (outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    stored({ rows, ms, isOk }) {
      const how = { 'liminal.outcome': isOk ? 'ok' : 'failed' };
      count.writeTime.record(ms / 1000, how);
      count.rows.add(rows, how);
      record('liminal.store.write', ms, isOk, { ...how, 'liminal.rows': rows });
    },
    delivered({ bytes, ms }) {
      count.deliveries.add(1);
      count.deliveredBytes.add(bytes);
      count.deliveryTime.record(ms / 1000);
    },
    webhookSent({ ms, isOk }) {
      const how = { 'liminal.outcome': isOk ? 'ok' : 'failed' };
      count.webhookTime.record(ms / 1000, how);
      record('liminal.webhook', ms, isOk, how);
    },
    agentStarted({ agent, ms, isOk }) {
      const how = { 'liminal.agent': plainName(agent), 'liminal.outcome': isOk ? 'ok' : 'failed' };
      count.starts.add(1, how);
      if (isOk) count.running.add(1, { 'liminal.agent': plainName(agent) });
      record('liminal.agent.start', ms, isOk, how);
    },
    agentEnded({ agent, ms, how: ending }) {
      const how = { 'liminal.agent': plainName(agent), 'liminal.ending': ending };
      count.deaths.add(1, how);
      count.running.add(-1, { 'liminal.agent': plainName(agent) });
      record('liminal.agent.process', ms, ending !== 'crashed', how);
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, closeMs)));
      await Promise.race([Promise.allSettled([traces.shutdown(), metrics.shutdown()]), limit]);
      clearTimeout(timer);
      diag.disable();
    },
  };
}

/**
 * OpenTelemetry's warnings go to our log, at most once in ten minutes: an unavailable receiver repeats the same for
 * hours.
 */
function quietLogger(log: Logger) {
  const ignore = (): void => {};
  let last = -Infinity;
  const warn = (message: string): void => {
    if (performance.now() - last < sameWarningMs) return;
    last = performance.now();
    log.warn({ reason: message.slice(0, 500) }, 'OpenTelemetry data could not be sent');
  };
  return { verbose: ignore, debug: ignore, info: ignore, warn, error: warn };
}
