import { useRef, useState, type ReactNode } from 'react';
import { enteredTitle, longestTitle } from '../../state/sessions/titles.ts';

type RenameFieldProps = {
  readonly title: string;
  /** The new title, or `null` if it stays. */
  readonly onDone: (title: string | null) => void;
};

/** Edits a title in place: Enter or leaving the field saves it, Escape doesn't. */
export function RenameField({ title, onDone }: RenameFieldProps): ReactNode {
  const [text, setText] = useState(title);
  // Removing the field also blurs it: only the first end counts.
  const done = useRef(false);
  const end = (keep: boolean): void => {
    if (done.current) return;
    done.current = true;
    onDone(keep ? enteredTitle(text, title) : null);
  };
  return (
    <input
      className="input rename-field"
      aria-label="Session title"
      value={text}
      maxLength={longestTitle}
      autoFocus
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        end(event.key === 'Enter');
      }}
    />
  );
}
