import type { Emission } from '../emission.ts';

/**
 * An emission in the short form of fixtures and tests: its content without ids and times, and the appended text as
 * `[offset, text]`.
 */
export function summarise(emission: Emission): Record<string, unknown> {
  if (emission.kind === 'turn') {
    const { sessionId: _session, ...event } = emission.event;
    return event;
  }
  const { sessionId: _session, sourceTimestamp: _source, emittedAt: _emitted, ...upsert } = emission.upsert;
  const { appended } = emission;
  return appended ? { ...upsert, appended: [appended.appendedFrom, appended.text] } : upsert;
}

/** The same on one line, for tests about order and status: `create t1:1:0 "one two"`. */
export function line(emission: Emission): string {
  if (emission.kind === 'turn') {
    const { event } = emission;
    return event.type === 'turn_complete'
      ? `${event.type} ${event.turnId} ${event.status}`
      : `${event.type} ${event.turnId}`;
  }
  const { upsert } = emission;
  const words = `${upsert.status} ${upsert.itemId}`;
  switch (upsert.type) {
    case 'message':
    case 'thinking':
      return `${words} ${JSON.stringify(upsert.content)}`;
    case 'tool_call':
      return `${words} ${upsert.toolName}${upsert.toolOutput === undefined ? '' : ` ${JSON.stringify(upsert.toolOutput)}`}`;
    case 'plan':
      return `${words} ${upsert.entries.length} entries`;
  }
}
