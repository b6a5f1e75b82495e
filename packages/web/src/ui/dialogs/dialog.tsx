import { useEffect, useId, useRef, type ReactNode } from 'react';
import { IconButton } from '../button.tsx';
import { Icon } from '../icon.tsx';
import { dialogClosing } from './dialog-closing.ts';
import './dialog.css';

type DialogProps = {
  readonly title: string;
  /** Shown after the title, but not part of the dialog's name. */
  readonly beside?: ReactNode;
  readonly onClose: () => void;
  /** Wider, for lists and settings. */
  readonly wide?: boolean;
  readonly children: ReactNode;
};

const focusable = 'button:enabled, input:enabled, select:enabled, textarea:enabled, summary';

/**
 * A modal dialog. The browser's own element keeps the focus inside. An element marked `data-autofocus` gets it first, and
 * the one that had it before gets it back.
 */
export function Dialog({ title, beside, onClose, wide = false, children }: DialogProps): ReactNode {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    if (dialog?.open === false) dialog.showModal();
    // By default the browser would focus the first button, which closes it.
    const first = `.dialog-content :is(${focusable})`;
    (dialog?.querySelector<HTMLElement>('[data-autofocus]') ?? dialog?.querySelector<HTMLElement>(first))?.focus();
    // The browser does this only for a dialog that it has closed itself.
    return () => {
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      className={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      {...dialogClosing(onClose)}
      onClick={(event) => {
        // Only a click on the backdrop has the dialog element as its target.
        if (event.target === element.current) onClose();
      }}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {beside !== undefined && <span className="dialog-beside">{beside}</span>}
          <IconButton label="Close" onClick={onClose}>
            <Icon name="close" />
          </IconButton>
        </header>
        <div className="dialog-content">{children}</div>
      </div>
    </dialog>
  );
}
