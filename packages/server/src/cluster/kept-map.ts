import type { Store } from '../store/store.ts';

/** A small map in the store that must survive a restart of this server. */
export function keptMap<Value>(store: Pick<Store, 'setting' | 'write'>, key: string) {
  return {
    read: (): Map<string, Value> => new Map(Object.entries((store.setting(key) ?? {}) as Record<string, Value>)),
    write: (map: ReadonlyMap<string, Value>): Promise<void> =>
      store.write([{ type: 'put-setting', key, value: Object.fromEntries(map) }]),
  };
}
