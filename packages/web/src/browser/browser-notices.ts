export type NoticePermission = 'default' | 'granted' | 'denied' | 'unsupported';
export type Notice = { readonly tag: string; readonly title: string; readonly body: string };

/** The part of the browser that shows notifications; a test gives its own. */
export type NoticeBoard = {
  readonly permission: () => NoticePermission;
  /** Asks the user; only ever called from a click. */
  readonly ask: () => Promise<NoticePermission>;
  /** Gives a way to take it down again. */
  readonly show: (notice: Notice, onClick: () => void) => () => void;
};

/** The browser's own notifications; where it has none, nothing is shown and nothing breaks. */
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
        // Some browsers on phones have the name but only allow it to a service worker.
        return () => {};
      }
    },
  };
}
