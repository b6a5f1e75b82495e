import type { ProcessLog } from '../process-log.ts';

const nothing = (): void => {};
export const silentLog: ProcessLog = { debug: nothing, info: nothing, warn: nothing, error: nothing };
