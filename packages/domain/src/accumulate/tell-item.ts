import type { AppendedText, ItemStatus, UpsertObject } from '@liminal/contracts';
import { isoTime } from '../time/iso-time.ts';
import type { Emission } from './emission.ts';
import type { OpenItem } from './open-item.ts';

/** Whose items these are. */
export type Identity = { readonly sessionId: string; readonly providerId: string };

export type ItemFailure = { readonly code: string; readonly message: string };

/** `step`: it goes on; the others end it. */
export type Telling = 'step' | 'complete' | ItemFailure;

/** The whole state of an item as one emission, noting that readers now know it. */
export function tellItem(identity: Identity, item: OpenItem, telling: Telling, at: number): Emission {
  const first = !item.told;
  const onlyTextChanged = !first && !item.changed;
  item.told = true;
  item.changed = false;

  const base = {
    turnId: item.turnId,
    sessionId: identity.sessionId,
    itemId: item.itemId,
    sourceTimestamp: isoTime(item.sourceAt),
    emittedAt: isoTime(at),
    status: statusOf(telling, first),
    ...(typeof telling === 'object' && { errorCode: telling.code, errorMessage: telling.message }),
    ...(item.parentCallId !== undefined && { parentCallId: item.parentCallId }),
  };

  switch (item.type) {
    case 'message': {
      const { content, appended } = item.text.tell();
      const attachments = item.attachments && { attachments: [...item.attachments] };
      return emission(
        { type: item.type, ...base, content, origin: item.origin, ...attachments },
        onlyTextChanged ? appended : undefined,
      );
    }
    case 'thinking': {
      const { content, appended } = item.text.tell();
      return emission(
        { type: item.type, ...base, content, providerId: item.providerId },
        onlyTextChanged ? appended : undefined,
      );
    }
    case 'tool_call': {
      const call = { type: item.type, ...base, ...item.fields, callId: item.callId };
      if (!item.hasOutput) return emission(call, undefined);
      const { content, appended } = item.output.tell();
      const told = { ...call, toolOutput: content };
      if (onlyTextChanged || appended === undefined || appended.appendedFrom === 0) {
        return emission(told, onlyTextChanged ? appended : undefined);
      }
      return { kind: 'upsert', upsert: told, grown: appended };
    }
    case 'plan':
      return emission({ type: item.type, ...base, entries: [...item.entries] }, undefined);
  }
}

function statusOf(telling: Telling, first: boolean): ItemStatus {
  if (telling === 'complete') return 'complete';
  if (telling !== 'step') return 'error';
  return first ? 'create' : 'update';
}

const emission = (upsert: UpsertObject, appended: AppendedText | undefined): Emission =>
  appended === undefined ? { kind: 'upsert', upsert } : { kind: 'upsert', upsert, appended };
