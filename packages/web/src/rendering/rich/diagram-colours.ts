import { useSyncExternalStore } from 'react';

export type DiagramColours = Readonly<
  Record<'background' | 'node' | 'text' | 'edge' | 'tint' | 'panel' | 'line', string>
> & { readonly isDark: boolean; /** The colours of adjacent parts. */ readonly slices: readonly string[] };

const darkness = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

/** Changes with the theme of the page. */
export const useThemeKey = (): string =>
  useSyncExternalStore(
    (changed) => {
      const observer = new MutationObserver(changed);
      observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-contrast'] });
      darkness().addEventListener('change', changed);
      return () => {
        observer.disconnect();
        darkness().removeEventListener('change', changed);
      };
    },
    () =>
      `${document.documentElement.dataset['theme']} ${document.documentElement.dataset['contrast']} ${darkness().matches}`,
  );

/** The page's colours in a format the diagram library understands: it knows neither `oklch` nor `light-dark`. */
export function readColours(): DiagramColours {
  const probe = document.body.appendChild(document.createElement('span'));
  const paint = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const read = (token: string): [number, number, number] => {
    probe.style.color = `var(${token})`;
    if (paint === null) return [0, 0, 0];
    paint.fillStyle = getComputedStyle(probe).color;
    paint.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = paint.getImageData(0, 0, 1, 1).data;
    return [red, green, blue];
  };
  const hex = (token: string): string =>
    `#${read(token)
      .map((part) => part.toString(16).padStart(2, '0'))
      .join('')}`;
  try {
    return {
      isDark: read('--bg')[0] < 128,
      background: hex('--sunken'),
      node: hex('--raised'),
      text: hex('--text'),
      edge: hex('--edge'),
      tint: hex('--tint'),
      panel: hex('--panel'),
      line: hex('--muted'),
      slices: ['--accent-line', '--added-word', '--waiting-line', '--removed-word', '--selected', '--tint'].map(hex),
    };
  } finally {
    probe.remove();
  }
}
