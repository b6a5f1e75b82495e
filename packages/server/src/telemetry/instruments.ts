import type { Meter } from '@opentelemetry/api';

const seconds = (...boundaries: number[]) => ({ unit: 's', advice: { explicitBucketBoundaries: boundaries } });
const quick = seconds(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5);
const waits = seconds(0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 21, 34, 60);
const long = seconds(1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600);

/** All metrics. docs/telemetry.md explains them. */
export function createInstruments(meter: Meter) {
  return {
    turns: meter.createCounter('liminal.turns'),
    turnTime: meter.createHistogram('liminal.turn.duration', long),
    firstToken: meter.createHistogram('liminal.turn.first_token', waits),
    tokens: meter.createCounter('liminal.turn.tokens', { unit: '{token}' }),
    deliveries: meter.createCounter('liminal.delivery.messages'),
    deliveredBytes: meter.createCounter('liminal.delivery.size', { unit: 'By' }),
    deliveryTime: meter.createHistogram('liminal.delivery.duration', quick),
    webhookTime: meter.createHistogram('liminal.webhook.duration', waits),
    writeTime: meter.createHistogram('liminal.store.write.duration', quick),
    rows: meter.createCounter('liminal.store.write.rows'),
    starts: meter.createCounter('liminal.agent.starts'),
    deaths: meter.createCounter('liminal.agent.deaths'),
    running: meter.createUpDownCounter('liminal.agent.running'),
  };
}
