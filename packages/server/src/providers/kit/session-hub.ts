import type { SessionInfo, TurnEvent, UpsertObject } from '@liminal/contracts';
import type { ProcessLog } from '../../processes/process-log.ts';
import type { PermissionSignal, Unsubscribe, UpsertDetail } from '../provider.ts';
import type { ProviderError } from '../provider-error.ts';
import { createHeldEvents, type HeldEvents } from './held-events.ts';

/** Everything one session reports. It outlives the session's process, so listeners stay through a crash and a reload. */
export type SessionHub = {
  readonly upserts: HeldEvents<[UpsertObject, UpsertDetail]>;
  readonly turns: HeldEvents<[TurnEvent]>;
  readonly permissions: HeldEvents<[PermissionSignal]>;
  readonly closed: HeldEvents<[ProviderError]>;
  readonly info: SessionInfo;
  /** Adds to the session's info and reports all of it. */
  learn(news: SessionInfo): void;
  onInfo(listener: (info: SessionInfo) => void): Unsubscribe;
};

export function createSessionHub(log: ProcessLog): SessionHub {
  const infos = createHeldEvents<[SessionInfo]>(log);
  let info: SessionInfo = {};
  return {
    upserts: createHeldEvents(log),
    turns: createHeldEvents(log),
    permissions: createHeldEvents(log),
    closed: createHeldEvents(log),
    get info() {
      return info;
    },
    learn(news) {
      if (Object.keys(news).length === 0) return;
      info = { ...info, ...news };
      infos.emit(info);
    },
    onInfo: (listener) => infos.listen(listener),
  };
}
