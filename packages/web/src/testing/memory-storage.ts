import { safeStorage, type Storage } from '../browser/storage.ts';

/** A storage that a browser refused: values last as long as the object. */
export const memoryStorage = (): Storage =>
  safeStorage(() => {
    throw new Error('none');
  });
