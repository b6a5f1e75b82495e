import type { NoticeBoard } from '../state/workbench/notifier.ts';

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
