import { actionsOf, type FocusTargets } from './state/workbench/actions.ts';
import type { Workbench } from './state/workbench/workbench.ts';
import { isPressed, typesSymbol } from './ui/keys.ts';

const editable = 'input, textarea, select, [contenteditable]';
/** A dialog or menu is open and has its own keys. */
const inFront = 'dialog[open], :popover-open';

/** Handles keys that work anywhere on the page; returns whether the key was used. */
export function onShortcut(workbench: Workbench, focus: FocusTargets, event: KeyboardEvent, page: Document): boolean {
  // The field or the editor that has the focus used it, or an input method is composing text with it.
  if (event.defaultPrevented || event.isComposing) return false;
  const isCovered = page.querySelector(inFront) !== null;
  if (event.key === 'Escape') return !isCovered && onEscape(workbench, focus);
  const isTyping = event.target instanceof Element && event.target.matches(editable);
  // A key that types a character belongs to the focused field.
  if (isTyping && ((!event.altKey && !event.ctrlKey && !event.metaKey) || typesSymbol(event))) return false;
  const place = event.altKey && !event.ctrlKey && !event.metaKey ? /^Digit([1-9])$/.exec(event.code)?.[1] : undefined;
  if (place !== undefined && !isCovered) {
    const index = Number(place) - 1;
    workbench.tabs.showAt(index);
    return workbench.tabs.get().open[index] !== undefined;
  }
  const action = actionsOf(workbench, focus).find(({ keys }) => keys !== undefined && isPressed(keys, event));
  if (action === undefined || (isCovered && !(action.id === 'palette'))) return false;
  if (action.isPossible) action.run();
  return true;
}

function onEscape(workbench: Workbench, focus: FocusTargets): boolean {
  // Nobody wants to stop an agent that isn't visible.
  if (workbench.areTabsCovered()) return false;
  const { active } = workbench.tabs.get();
  const store = active === null ? undefined : workbench.session(active);
  if (store === undefined || store.running() === null) return false;
  // A permission request comes first; there, Escape refuses.
  if (store.permissions().length > 0) focus.focusPermission();
  else void workbench.stop(store.sessionId);
  return true;
}
