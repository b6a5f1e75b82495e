import type { Density, Theme } from './state/layout/theme-store.ts';

type Root = { readonly dataset: DOMStringMap };
type Media = Pick<MediaQueryList, 'matches' | 'addEventListener'>;

/** Applies the chosen theme and density to the page's root; `system` also follows the system's high contrast. */
export function pageLook(root: Root, moreContrast: Media) {
  let chosen: Theme = 'system';
  const set = (name: string, value: string | null): void => {
    if (value === null) delete root.dataset[name];
    else root.dataset[name] = value;
  };
  const show = (): void => {
    const isHigh = chosen === 'contrast' || (chosen === 'system' && moreContrast.matches);
    set('theme', chosen === 'light' || chosen === 'dark' ? chosen : null);
    set('contrast', isHigh ? 'more' : null);
  };
  moreContrast.addEventListener('change', show);
  return {
    applyTheme(theme: Theme): void {
      chosen = theme;
      show();
    },
    applyDensity: (density: Density): void => set('density', density === 'comfortable' ? null : density),
  };
}
