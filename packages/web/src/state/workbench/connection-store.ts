import type { SocketState } from '@liminal/client/socket';
import { createCell, type Cell } from '../base/cell.ts';

export type ConnectionState = {
  readonly socket: SocketState;
  /** It was open before: only then is a loss news to the user. */
  readonly wasOpen: boolean;
  /** The server does not know this browser: it has to be opened with the address that carries the token. */
  readonly unauthorized: boolean;
  /** The server's version, where it is another than this page's. */
  readonly otherVersion: string | null;
  /** The browser keeps nothing for this page: what is written is lost with a reload. */
  readonly forgetful: boolean;
};

export type ConnectionStore = Cell<ConnectionState> & {
  readonly socketChanged: (socket: SocketState) => void;
  readonly refused: () => void;
  readonly versionSeen: (version: string) => void;
  readonly storageRefused: () => void;
  /** The user has read that nothing is kept. */
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
        // An attempt to come back is still a loss for the user: no flicker between the two.
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
