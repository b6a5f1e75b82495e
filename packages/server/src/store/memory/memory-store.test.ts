import { storeContract } from '../store.contract.ts';
import { createMemoryStore } from './memory-store.ts';

storeContract('memory', async () => {
  const store = createMemoryStore();
  return { store, reopen: async () => store, remove: async () => {} };
});
