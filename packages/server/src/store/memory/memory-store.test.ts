import { rewindContract } from '../rewind.contract.ts';
import { searchContract } from '../search.contract.ts';
import { storeContract } from '../store.contract.ts';
import { tidyContract } from '../tidy.contract.ts';
import { worktreeStoreContract } from '../worktree-store.contract.ts';
import { createMemoryStore } from './memory-store.ts';

rewindContract('memory', async () => createMemoryStore());

storeContract('memory', async () => {
  const store = createMemoryStore();
  return { store, reopen: async () => store, remove: async () => {} };
});

searchContract('memory', async () => ({ store: createMemoryStore(), remove: async () => {} }));

tidyContract('memory', async () => createMemoryStore());

worktreeStoreContract('memory', async () => createMemoryStore());
