import { attentionOf, loudestOf } from '@liminal/domain/session/attention';
import { titleOf } from './state/sessions/titles.ts';
import type { Workbench } from './state/workbench/workbench.ts';
import { markShapes } from './ui/brand-mark.tsx';
import { statusDetails, statusShapes, statusLabels, workingRing, type StatusName } from './ui/status-badge.tsx';

/** The same colours for light and dark tab bars: a favicon doesn't know the theme. */
const colours: Record<StatusName, string> = {
  'needs-you': '#df6a0c',
  failed: '#d9302e',
  working: '#3f7be0',
  done: '#21954a',
  paused: '#8e8a84',
  unknown: '#8e8a84',
  idle: '#8e8a84',
};

const rect = (shape: object, more: string): string =>
  `<rect ${Object.entries(shape)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ')} ${more}/>`;

/** The favicon: the logo, with the status in its lower right corner if there is one. */
export function faviconOf(status: StatusName): string {
  const line = 'fill="none" stroke="#8a857d" stroke-width="2.4"';
  const mark = [
    rect(markShapes.overlap, 'fill="#0b8a95"'),
    rect(markShapes.front, line),
    rect(markShapes.back, line),
  ].join('');
  const detail = statusDetails[status];
  const badge =
    status === 'idle' || status === 'paused' || status === 'unknown'
      ? ''
      : `<g transform="translate(9.5 9.5) scale(.92)"><path d="${status === 'working' ? workingRing : statusShapes[status]}" fill="${colours[status]}" stroke="#fff" stroke-width="1"/>${
          detail === undefined ? '' : `<path d="${detail}" fill="#fff"/>`
        }</g>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${mark}${badge}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** The page's title: first how many sessions need the user, then the active session. */
export function pageTitle(status: StatusName, needing: number, shown: string | null): string {
  const state =
    status === 'needs-you'
      ? `(${needing}) ${statusLabels['needs-you']}`
      : status === 'working' || status === 'failed'
        ? statusLabels[status]
        : '';
  return [state, shown, 'Liminal Builder'].filter((part) => part !== '' && part !== null).join(' · ');
}

/** Updates the page's title and favicon to the most urgent status of all sessions. */
export function followStatuses(workbench: Workbench, page: Document): void {
  const link = page.querySelector<HTMLLinkElement>('link[rel=icon]') ?? page.createElement('link');
  link.rel = 'icon';
  if (!link.isConnected) page.head.append(link);
  const show = (): void => {
    const { sessions } = workbench.directory.get();
    const active = workbench.activeSession();
    const all = [...sessions.values()].filter((session) => !session.archived).map(attentionOf);
    const status = loudestOf(all);
    const needing = all.filter(({ kind }) => kind === 'needs-you').length;
    page.title = pageTitle(status, needing, active === null ? null : titleOf(sessions.get(active)));
    const href = faviconOf(status);
    if (link.href !== href) link.href = href;
  };
  workbench.directory.subscribe(show);
  workbench.tabs.subscribe(show);
  show();
}
