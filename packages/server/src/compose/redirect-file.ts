import { join } from 'node:path';

/** The file the browser is opened with, as long as it is needed. */
export const redirectFile = (dataDir: string): string => join(dataDir, 'open.html');
