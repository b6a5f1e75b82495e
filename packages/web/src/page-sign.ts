import { attentionOf, loudestOf } from '@liminal/domain/session/attention';
import { titleOf } from './state/sessions/titles.ts';
import type { Workbench } from './state/workbench/workbench.ts';
import { signShapes, signWords, type SignName } from './ui/sign.ts';

const colours: Record<SignName, string> = {
  'needs-you': '#d97a00',
  failed: '#d0342c',
  working: '#3b82e6',
  done: '#149aa8',
  paused: '#8a8378',
  unknown: '#8a8378',
  idle: '#8a8378',
};
const idleShape = 'M3 3h10v10H3z';

/** The favicon of a sign: the same shape as in the sidebar. */
export function faviconOf(sign: SignName): string {
  const shape = sign === 'idle' ? idleShape : signShapes[sign];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="${shape}" fill="${colours[sign]}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** What the page's title says: first how many need the person, then what is shown. */
export function pageTitle(sign: SignName, needing: number, shown: string | null): string {
  const state =
    sign === 'needs-you'
      ? `(${needing}) ${signWords['needs-you']}`
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
    const all = [...sessions.values()].filter((session) => !session.archived).map(attentionOf);
    const sign = loudestOf(all);
    const needing = all.filter(({ kind }) => kind === 'needs-you').length;
    page.title = pageTitle(sign, needing, active === null ? null : titleOf(sessions.get(active)));
    const href = faviconOf(sign);
    if (link.href !== href) link.href = href;
  };
  workbench.directory.subscribe(show);
  workbench.tabs.subscribe(show);
  show();
}
