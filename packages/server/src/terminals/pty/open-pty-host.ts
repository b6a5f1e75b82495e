import { createRusptyHost, type PtyDeps } from './ruspty.ts';
import { createScriptHost } from './script.ts';
import type { PtyHost } from './pty.ts';

/** The best way this system has to open a terminal; null where it has none. */
export const openPtyHost = async (deps: PtyDeps): Promise<PtyHost | null> =>
  (await createRusptyHost(deps)) ?? createScriptHost(deps);
