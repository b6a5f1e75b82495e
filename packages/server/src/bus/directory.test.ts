import { directoryContract } from './directory.contract.ts';
import { createMemoryDirectory } from './directory.ts';

directoryContract('memory', () => {
  const directory = createMemoryDirectory();
  return { writer: directory, reader: directory, settle: async () => {} };
});
