import type { Socket, SocketDeps } from '@liminal/client/socket';
import type { NoticeBoard } from '../../browser/browser-notices.ts';
import type { Storage } from '../../browser/storage.ts';
import type { Api } from '../../connection/api.ts';
import type { Schedule } from '../base/emitter.ts';
import type { Density, Theme } from '../layout/theme-store.ts';

/** What the page needs from the browser and the server. Tests replace it. */
export type WorkbenchDeps = {
  readonly createApi: (onUnauthorized: () => void) => Api;
  readonly createSocket: (deps: Pick<SocketDeps, 'cursorOf' | 'onMessage' | 'onState' | 'onBytes'>) => Socket;
  readonly createStorage: (onRefused: () => void) => Storage;
  /** Survives a reload of this tab; no other tab sees it. */
  readonly createTabStorage: () => Storage;
  readonly notices: NoticeBoard;
  readonly schedule: Schedule;
  readonly after: SocketDeps['after'];
  readonly now: () => number;
  readonly newId: () => string;
  readonly isPageVisible: () => boolean;
  /** The page is visible, and its window has the focus. */
  readonly isPageWatched: () => boolean;
  readonly pageVersion: string;
  readonly applyTheme: (theme: Theme) => void;
  readonly applyDensity: (density: Density) => void;
};
