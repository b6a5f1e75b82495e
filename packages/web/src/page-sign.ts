import { signFor } from './state/sessions/sign-for.ts';
import { titleOf } from './state/sessions/titles.ts';
import type { Workbench } from './state/workbench/workbench.ts';
import { loudest, signShapes, signWords, type SignName } from './ui/sign.ts';

const colours: Record<SignName, string> = {
  waiting: '#d97a00',
  failed: '#d0342c',
  working: '#3b82e6',
  unread: '#149aa8',
  asleep: '#8a8378',
  quiet: '#8a8378',
};
const quietShape = 'M3 3h10v10H3z';

/** The favicon of a sign: the same shape as in the sidebar. */
export function faviconOf(sign: SignName): string {
  const shape = sign === 'quiet' ? quietShape : signShapes[sign];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="${shape}" fill="${colours[sign]}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** What the page's title says: first how many wait, then what is shown. */
export function pageTitle(sign: SignName, waiting: number, shown: string | null): string {
  const state =
    sign === 'waiting'
      ? `(${waiting}) ${signWords.waiting}`
      : sign === 'working' || sign === 'failed'
        ? signWords[sign]
        : '';
  return [state, shown, 'Liminal Builder'].filter((part) => part !== '' && part !== null).join(' · ');
}

/** Keeps the title and the favicon of the page in step with the loudest sign of all sessions. */
export function followSigns(workbench: Workbench, page: Document): void {
  const link = page.querySelector<HTMLLinkElement>('link[rel=icon]') ?? page.createElement('link');
  link.rel = 'icon';
  if (!link.isConnected) page.head.append(link);
  const show = (): void => {
    const { sessions } = workbench.directory.get();
    const { active } = workbench.tabs.get();
    const unread = workbench.unread.get();
    const signs = [...sessions.values()]
      .filter((session) => !session.archived)
      .map((session) => {
        const sign = signFor(session, unread);
        // A failure the person has seen is no news: it stays in the list, not on the page's title.
        return sign === 'failed' && session.sessionId !== active && !unread.has(session.sessionId) ? 'quiet' : sign;
      });
    const sign = loudest(signs);
    const waiting = signs.filter((each) => each === 'waiting').length;
    page.title = pageTitle(sign, waiting, active === null ? null : titleOf(sessions.get(active)));
    const href = faviconOf(sign);
    if (link.href !== href) link.href = href;
  };
  workbench.directory.subscribe(show);
  workbench.tabs.subscribe(show);
  workbench.unread.subscribe(show);
  show();
}
