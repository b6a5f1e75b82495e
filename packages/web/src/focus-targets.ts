import type { FocusTargets } from './state/workbench/actions.ts';

/** Puts the focus where a user works: in the pane they are in, where several tabs are shown. */
export function focusTargets(page: Document): FocusTargets {
  const focus = (selector: string): void => {
    const found =
      page.querySelector<HTMLElement>(`.pane-active ${selector}`) ?? page.querySelector<HTMLElement>(selector);
    found?.focus();
  };
  return {
    focusComposer: () => focus('.composer-input'),
    focusPane: () =>
      focus(':is(.composer-input, .cm-content, .xterm-helper-textarea, .files-tree [tabindex="0"], .review)'),
    focusPermission: () => focus('.permission'),
    isNarrow: () => matchMedia('(max-width: 800px)').matches,
  };
}
