import { describe, expect, it } from 'vitest';
import { plainName } from './plain-name.ts';
import { wantedTelemetry } from './telemetry.ts';

const endpoint = 'http://127.0.0.1:4318';

describe('the environment variables', () => {
  it.each([
    ['no receiver', {}, null],
    ['an empty one', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, null],
    ['one for both', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, { traces: true, metrics: true }],
    ['one for traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint }, { traces: true, metrics: false }],
    ['one for metrics', { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpoint }, { traces: false, metrics: true }],
    [
      'one for both, and no traces',
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' },
      { traces: false, metrics: true },
    ],
    ['one that is switched off', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'TRUE' }, null],
  ])('PK-4: %s', (_name, env, wanted) => {
    const got = wantedTelemetry(env);
    if (wanted === null) expect(got).toBeNull();
    else expect(got).toMatchObject(wanted);
  });

  it.each([
    ['250', 250],
    ['often', 60_000],
    ['0', 60_000],
    ['', 60_000],
  ])('reads an interval of %j as %d ms', (text, ms) => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_METRIC_EXPORT_INTERVAL: text };
    expect(wantedTelemetry(env)?.metricIntervalMs).toBe(ms);
  });
});

it.each([
  ['claude-code', 'claude-code'],
  ['anthropic/claude-x:1', 'anthropic/claude-x:1'],
  ['a whole sentence', 'other'],
  ['/home/me/secret', 'other'],
  ['', 'other'],
  ['x'.repeat(81), 'other'],
])('PK-4: passes on only plain names: %j', (name, passed) => {
  expect(plainName(name)).toBe(passed);
});
