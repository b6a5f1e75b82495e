import type { AppendedText, ItemStatus, UpsertObject } from '@liminal/contracts';
import { isoTime } from '../time/iso-time.ts';
import type { Emission } from './emission.ts';
import type { OpenItem } from './open-item.ts';

/** The session and provider of the items. */
export type Identity = { readonly sessionId: string; readonly providerId: string };

export type ItemFailure = { readonly code: string; readonly message: string };

/** `step`: the item continues; the others end it. */
export type EmissionCause = 'step' | 'complete' | ItemFailure;

/** Emits the full state of an item, and marks it as emitted. */
export function emitItem(identity: Identity, item: OpenItem, cause: EmissionCause, at: number): Emission {
  const first = !item.emitted;
  const onlyTextChanged = !first && !item.changed;
  item.emitted = true;
  item.changed = false;

  const base = {
    turnId: item.turnId,
    sessionId: identity.sessionId,
    itemId: item.itemId,
    sourceTimestamp: isoTime(item.sourceAt),
    emittedAt: isoTime(at),
    status: statusOf(cause, first),
    ...(typeof cause === 'object' && { errorCode: cause.code, errorMessage: cause.message }),
    ...(item.parentCallId !== undefined && { parentCallId: item.parentCallId }),
  };

  switch (item.type) {
    case 'message': {
      const { content, appended } = item.text.emit();
      const attachments = item.attachments && { attachments: [...item.attachments] };
      return emission(
        { type: item.type, ...base, content, origin: item.origin, ...attachments },
        onlyTextChanged ? appended : undefined,
      );
    }
    case 'thinking': {
      const { content, appended } = item.text.emit();
      return emission(
        { type: item.type, ...base, content, providerId: item.providerId },
        onlyTextChanged ? appended : undefined,
      );
    }
    case 'tool_call': {
      const call = { type: item.type, ...base, ...item.fields, callId: item.callId };
      if (!item.hasOutput) return emission(call, undefined);
      const { content, appended } = item.output.emit();
      const upsert = { ...call, toolOutput: content };
      if (onlyTextChanged || appended === undefined || appended.appendedFrom === 0) {
        return emission(upsert, onlyTextChanged ? appended : undefined);
      }
      return { kind: 'upsert', upsert, grown: appended };
    }
    case 'plan':
      return emission({ type: item.type, ...base, entries: [...item.entries] }, undefined);
  }
}

function statusOf(cause: EmissionCause, first: boolean): ItemStatus {
  if (cause === 'complete') return 'complete';
  if (cause !== 'step') return 'error';
  return first ? 'create' : 'update';
}

const emission = (upsert: UpsertObject, appended: AppendedText | undefined): Emission =>
  appended === undefined ? { kind: 'upsert', upsert } : { kind: 'upsert', upsert, appended };
