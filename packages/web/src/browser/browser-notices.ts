export type NoticePermission = 'default' | 'granted' | 'denied' | 'unsupported';
export type Notice = { readonly tag: string; readonly title: string; readonly body: string };

/** The browser's notifications; tests use their own. */
export type NoticeBoard = {
  readonly permission: () => NoticePermission;
  /** Asks the user for permission; only ever called from a click. */
  readonly ask: () => Promise<NoticePermission>;
  /** Returns a function that closes the notification. */
  readonly show: (notice: Notice, onClick: () => void) => () => void;
};

/** The browser's own notifications. Does nothing if the browser has none. */
export function browserNotices(): NoticeBoard {
  const api = 'Notification' in globalThis ? globalThis.Notification : null;
  return {
    permission: () => api?.permission ?? 'unsupported',
    ask: async () => (api === null ? 'unsupported' : await api.requestPermission()),
    show({ tag, title, body }, onClick) {
      if (api === null) return () => {};
      try {
        const notice = new api(title, { body, tag });
        notice.onclick = () => {
          globalThis.focus();
          onClick();
          notice.close();
        };
        return () => notice.close();
      } catch {
        // Some mobile browsers have the constructor but allow it only in a service worker.
        return () => {};
      }
    },
  };
}
