import { setImmediate as nextLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import type { Store } from '../store/store.ts';
import { createProjectSettings } from './project-settings.ts';

test('two changes at the same time are both kept', async () => {
  const store = createMemoryStore();
  /** As in the real store, a setting can be read only once it is written. */
  const write: Store['write'] = async (writes) => {
    await nextLoop();
    return store.write(writes);
  };
  const settings = createProjectSettings({ setting: store.setting, write });
  await Promise.all([settings.set('p', { setupCommand: 'npm ci' }), settings.set('p', { checkCommand: 'npm test' })]);
  expect(settings.get('p')).toMatchObject({ setupCommand: 'npm ci', checkCommand: 'npm test' });
});
