import type { MouseEvent, ReactNode } from 'react';
import { showHidden } from '@liminal/domain/text/visible-text';

const noteIn = (text: Element | null, label: string): HTMLElement | undefined =>
  [...(text?.querySelectorAll<HTMLElement>('.footnote') ?? [])].find((note) => note.dataset['label'] === label);

/** A footnote reference in a text. It links to the note. */
export function FootnoteMark({ label }: { readonly label: string }): ReactNode {
  const go = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    const note = noteIn(currentTarget.closest('.markdown'), label);
    note?.scrollIntoView({ block: 'nearest' });
    note?.focus({ preventScroll: true });
  };
  const shown = showHidden(label);
  return (
    <sup className="footnote-mark">
      <button type="button" aria-label={`Footnote ${shown}`} onClick={go}>
        {shown}
      </button>
    </sup>
  );
}

/** A footnote, in its place in the text. */
export const Footnote = ({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode => (
  <div className="markdown-block footnote" data-label={label} role="note" tabIndex={-1}>
    <span className="footnote-label">{showHidden(label)}</span>
    <div>{children}</div>
  </div>
);
