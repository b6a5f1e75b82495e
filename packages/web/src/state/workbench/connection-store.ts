import type { SocketState } from '@liminal/client/socket';
import { createCell, type Cell } from '../base/cell.ts';

export type ConnectionState = {
  readonly socket: SocketState;
  /** It was connected before: only then does the user need to know about a loss. */
  readonly wasOpen: boolean;
  /** The server doesn't know this browser: the user has to sign in with the token. */
  readonly unauthorized: boolean;
  /** The server's version, if it differs from this page's. */
  readonly otherVersion: string | null;
  /** Browser storage is unavailable: drafts are lost on a reload. */
  readonly forgetful: boolean;
};

export type ConnectionStore = Cell<ConnectionState> & {
  readonly socketChanged: (socket: SocketState) => void;
  readonly refused: () => void;
  readonly versionSeen: (version: string) => void;
  readonly storageRefused: () => void;
  /** The user dismissed the notice about storage. */
  readonly storageNoted: () => void;
};

/** The page's connection to its server. */
export function createConnectionStore(pageVersion: string): ConnectionStore {
  const cell = createCell<ConnectionState>({
    socket: { phase: 'connecting' },
    wasOpen: false,
    unauthorized: false,
    otherVersion: null,
    forgetful: false,
  });
  return {
    ...cell,
    socketChanged: (socket) =>
      cell.update((state) => {
        // An attempt to reconnect still counts as lost, so the banner doesn't flicker.
        if (socket.phase === 'connecting' && state.socket.phase === 'lost') return state;
        const open = socket.phase === 'open';
        return { ...state, socket, wasOpen: state.wasOpen || open, unauthorized: state.unauthorized && !open };
      }),
    refused: () => cell.update((state) => ({ ...state, unauthorized: true })),
    versionSeen: (version) =>
      cell.update((state) => {
        const otherVersion = version === pageVersion ? null : version;
        return state.otherVersion === otherVersion ? state : { ...state, otherVersion };
      }),
    storageRefused: () => cell.update((state) => ({ ...state, forgetful: true })),
    storageNoted: () => cell.update((state) => ({ ...state, forgetful: false })),
  };
}
