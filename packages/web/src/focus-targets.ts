import type { FocusTargets } from './state/workbench/actions.ts';

/** Moves the focus to where the user works: in the active pane, if several tabs are visible. */
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
