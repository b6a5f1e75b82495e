import type { ReactNode } from 'react';

const paths = {
  add: 'M8 3v10M3 8h10',
  arrowDown: 'M8 3v10M4 9l4 4 4-4',
  archive: 'M2.5 3.5h11v3h-11zM3.5 6.5v6.5h9V6.5M6.5 9h3',
  arrowUp: 'M8 13V3M4 7l4-4 4 4',
  beside: 'M2.5 3.5h11v9h-11zM8 3.5v9',
  bell: 'M4 11.5h8l-1-1.6V7.2a3 3 0 0 0-6 0v2.7zM7 13.5h2',
  check: 'M3 8.5 6.5 12 13 4.5',
  chevron: 'M6 4l4 4-4 4',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5v-2h7v7h-2M3.5 5.5h7v7h-7z',
  delete: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9',
  edit: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3z',
  execute: 'M3 4l4 4-4 4M8.5 12.5H13',
  fetch: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM2.5 8h11M8 2.5c-4 3.5-4 7.5 0 11M8 2.5c4 3.5 4 7.5 0 11',
  folder: 'M2.5 4.5h4l1.5 1.5h5.5v6.5h-11z',
  inspector: 'M2.5 3.5h11v9h-11zM10 3.5v9',
  menu: 'M3 4.5h10M3 8h10M3 11.5h10',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  move: 'M3 8h10M9 4l4 4-4 4',
  other: 'M8 3l4.5 2.5v5L8 13l-4.5-2.5v-5z',
  plan: 'M3 4.5l1 1 1.5-2M3 10.5l1 1 1.5-2M8 5h5M8 11h5',
  read: 'M4 2.5h5.5L12 5v8.5H4zM6 7h4M6 9.5h4',
  search: 'M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM10 10l3.5 3.5',
  settings:
    'M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6M10.2 3.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4zM5.8 9.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4z',
  sidebar: 'M2.5 3.5h11v9h-11zM6 3.5v9',
  stop: 'M4.5 4.5h7v7h-7z',
  theme: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  think: 'M4 6.5a4 4 0 1 1 6.5 3.1V11h-5V9.6A4 4 0 0 1 4 6.5zM6 13.5h4',
} as const;

export type IconName = keyof typeof paths;

/** A small line drawing; never the only carrier of a meaning, so it is hidden from assistive technology. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false" fill="none">
      <path d={paths[name]} stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
