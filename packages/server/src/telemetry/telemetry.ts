import type { ToolKind, Usage } from '@liminal/contracts';
import type { Logger } from '../observe/logger.ts';

/** How a turn ended. The code is one of our failure codes, never the agent's own text. */
export type TurnEnd = {
  readonly outcome: 'completed' | 'cancelled' | 'failed';
  readonly code?: string;
  readonly usage?: Usage;
};

/** One turn being measured. */
export type TurnTrace = {
  /** The agent reported that it has started. */
  started(modelId: string): void;
  /** The first sign of an answer: text, a thought or a call. */
  firstToken(): void;
  toolBegan(callId: string, kind: ToolKind): void;
  toolEnded(callId: string, isOk: boolean): void;
  asked(requestId: string): void;
  answered(requestId: string): void;
  ended(end: TurnEnd): void;
};

/**
 * What a server reports about itself. Callers pass agent names, kinds, counts and times: nothing that a user or an
 * agent wrote, and no paths.
 */
export type Telemetry = {
  turn(turn: { readonly sessionId: string; readonly turnId: string; readonly agent: string }): TurnTrace;
  stored(write: { readonly rows: number; readonly ms: number; readonly isOk: boolean }): void;
  /** A message for a page or program has left this process. */
  delivered(delivery: { readonly bytes: number; readonly ms: number }): void;
  webhookSent(attempt: { readonly ms: number; readonly isOk: boolean }): void;
  agentStarted(start: { readonly agent: string; readonly ms: number; readonly isOk: boolean }): void;
  agentEnded(end: {
    readonly agent: string;
    readonly ms: number;
    readonly how: 'exited' | 'crashed' | 'stopped';
  }): void;
  /** Sends what is left, but waits only a moment for a receiver. */
  close(): Promise<void>;
};

type Env = Readonly<Record<string, string | undefined>>;

/** What the standard variables request. */
export type WantedTelemetry = {
  readonly traces: boolean;
  readonly metrics: boolean;
  readonly traceDelayMs: number;
  readonly metricIntervalMs: number;
};

/** Null if no receiver is configured. Then nothing is measured or loaded. */
export function wantedTelemetry(env: Env): WantedTelemetry | null {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return null;
  const wants = (signal: 'TRACES' | 'METRICS') =>
    Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]) &&
    env[`OTEL_${signal}_EXPORTER`] !== 'none';
  const [traces, metrics] = [wants('TRACES'), wants('METRICS')];
  if (!traces && !metrics) return null;
  return {
    traces,
    metrics,
    traceDelayMs: milliseconds(env['OTEL_BSP_SCHEDULE_DELAY'], 5_000),
    metricIntervalMs: milliseconds(env['OTEL_METRIC_EXPORT_INTERVAL'], 60_000),
  };
}

function milliseconds(text: string | undefined, usual: number): number {
  const value = Number(text || usual);
  return Number.isFinite(value) && value >= 100 ? Math.min(value, 3_600_000) : usual;
}

/** Telemetry for the receiver in the environment, if there is one. A receiver that can't be used is reported once. */
export async function startTelemetry(env: Env, version: string, log: Logger): Promise<Telemetry | null> {
  const wanted = wantedTelemetry(env);
  if (wanted === null) return null;
  try {
    const { createOpenTelemetry } = await import('./open-telemetry.ts');
    return createOpenTelemetry(wanted, version, log);
  } catch (error) {
    log.warn(
      { err: error },
      "OpenTelemetry couldn't be started. Check the OTEL_ variables; the server runs without it.",
    );
    return null;
  }
}
