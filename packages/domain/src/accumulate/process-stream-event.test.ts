import { readdirSync, readFileSync } from 'node:fs';
import { readStreamEvent } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { createEmissionReader } from './testing/emission-invariants.ts';
import { summarise } from './testing/emission-summary.ts';
import type { Emission } from './emission.ts';
import { createStreamEventProcessor, type StreamEventProcessor, parseToolArguments } from './process-stream-event.ts';

type Step = { at: number; event: unknown } | { at: number; tick: true } | { at: number; destroy: true };
type Fixture = {
  name: string;
  description: string;
  ids: string[];
  options: { batchGradient?: number[]; batchTimeoutMs?: number; maxLatencyMs?: number };
  steps: Step[];
  expected: unknown[];
};

const folder = new URL('./fixtures/', import.meta.url);
const fixtures = readdirSync(folder).map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Fixture);

function take(processor: StreamEventProcessor, step: Step): readonly Emission[] {
  if ('tick' in step) return processor.tick(step.at);
  if ('destroy' in step) return processor.destroy(step.at);
  const read = readStreamEvent(step.event);
  if (!read.ok) throw new Error(read.failure.message);
  return processor.process(read.value, step.at);
}

describe('process stream event', () => {
  it('has at least 20 fixtures, covering every accumulation case', () => {
    expect(fixtures.length).toBeGreaterThanOrEqual(20);
    const cited = new Set(fixtures.flatMap((fixture) => fixture.ids));
    const cases = [
      '1a',
      '1b',
      '1c',
      '1d',
      '2a',
      '2b',
      '2c',
      '2d',
      '2e',
      '3a',
      '3b',
      '4a',
      '4b',
      '4c',
      '4d',
      '4e',
      '4f',
    ];
    expect(cases.filter((id) => !cited.has(`TC-5.${id}`))).toEqual([]);
  });

  it.each(fixtures.map((fixture) => [`${fixture.ids.join(' ')}: ${fixture.name}`, fixture] as const))(
    '%s',
    (_, fixture) => {
      const processor = createStreamEventProcessor({ sessionId: 's1', providerId: 'demo', ...fixture.options });
      const emissions = fixture.steps.flatMap((step) => take(processor, step));
      expect(emissions.map(summarise)).toEqual(fixture.expected);

      const reader = createEmissionReader();
      reader.read(emissions);
      expect(reader.problems).toEqual([]);
    },
  );
});

describe('tool arguments', () => {
  it('reads an object', () => {
    expect(parseToolArguments('{"path":"a.ts","lines":[1,2]}')).toEqual({ path: 'a.ts', lines: [1, 2] });
  });

  it.each(['', '{"path":', 'null', '[1]', '"text"', '7', 'undefined'])('reads %j as {}', (json) => {
    expect(parseToolArguments(json)).toEqual({});
  });
});
