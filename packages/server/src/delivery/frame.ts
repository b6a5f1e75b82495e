import type { SessionMessage } from '@liminal/contracts';
import type { Change } from '@liminal/domain/delivery/change';
import type { OutboundMessage } from '@liminal/domain/delivery/outbox';

type Encoded = { upsert?: string; append?: string };

/** One change often goes to several readers: its payload is turned into JSON once. */
const encoded = new WeakMap<Change, Encoded>();

/** The JSON of one message; built by hand around the shared payload, which is nearly all of it. */
export function frameOf(sessionId: string, epoch: string, message: OutboundMessage): string {
  const head = `{"type":"${message.type}","sessionId":${JSON.stringify(sessionId)},"epoch":${JSON.stringify(epoch)},"seq":${message.seq},"payload":`;
  return `${head}${payloadJson(message)}}`;
}

function payloadJson(message: OutboundMessage): string {
  if (!message.change) return JSON.stringify(message.payload);
  let known = encoded.get(message.change);
  if (!known) encoded.set(message.change, (known = {}));
  const kind = message.type === 'session:append' ? 'append' : 'upsert';
  return (known[kind] ??= JSON.stringify(message.payload));
}

export const wholeFrame = (message: SessionMessage): string => JSON.stringify(message);
