import type { FocusTargets } from './state/workbench/actions.ts';

/** Puts the focus where a person works: in the side they are in, where two sessions stand beside each other. */
export function focusTargets(page: Document): FocusTargets {
  const focus = (selector: string): void => {
    const found =
      page.querySelector<HTMLElement>(`.pane-active ${selector}`) ?? page.querySelector<HTMLElement>(selector);
    found?.focus();
  };
  return {
    focusComposer: () => focus('.composer-input'),
    focusPermission: () => focus('.permission'),
    isNarrow: () => matchMedia('(max-width: 800px)').matches,
  };
}
