import { useEffect, useRef, type ReactNode } from 'react';
import { showHidden } from '@liminal/domain/text/visible-text';
import { writtenOf, type Editing } from '../../../state/review/review-state.ts';
import { Button } from '../../../ui/button.tsx';
import { keysText } from '../../../ui/keys.ts';
import { linesText } from './lines-text.ts';
import { useReviewState, useReviewStore } from '../use-review.ts';

const saveKeys = keysText({ code: 'Enter', label: 'Enter', mod: true });

type CommentEditorProps = {
  readonly editing: Editing;
  /** It is on none of the shown lines, so it names its file. */
  readonly isLoose?: boolean;
};

/** The editor of a comment. Its text stays when it is scrolled out of view. */
export function CommentEditor({ editing, isLoose = false }: CommentEditorProps): ReactNode {
  const { comments } = useReviewStore();
  const field = useRef<HTMLTextAreaElement>(null);
  const state = useReviewState();
  const { id, path, range } = editing;
  const { text, isBusy, failure } = writtenOf(state, editing);
  const { focused } = state;
  useEffect(() => {
    if (focused?.id === id) field.current?.focus({ preventScroll: true });
  }, [focused, id]);
  const leave = (): void => {
    const review = field.current?.closest<HTMLElement>('.review');
    comments.cancel(id);
    review?.focus({ preventScroll: true });
  };
  const save = async (): Promise<void> => {
    // Returns the keys to the review at once, without waiting for the server.
    if (text.trim() !== '') field.current?.closest<HTMLElement>('.review')?.focus({ preventScroll: true });
    await comments.save(id);
  };
  return (
    <form
      className="review-editor"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <p className="review-comment-head">
        <strong>You</strong>{' '}
        <span className="muted">{isLoose ? `${showHidden(path)}, ${linesText(range)}` : linesText(range)}</span>
      </p>
      <textarea
        ref={field}
        aria-label={`Comment on ${showHidden(path)}, ${linesText(range)}`}
        rows={3}
        value={text}
        readOnly={isBusy}
        onChange={(event) => comments.write(id, event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            event.stopPropagation();
            void save();
          }
          // An input method that is composing text ends that with Escape.
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.stopPropagation();
          leave();
        }}
      />
      {failure !== null && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
      <div className="review-editor-actions">
        <span className="muted">Markdown works</span>
        <Button look="quiet" onClick={leave}>
          Cancel <kbd className="key-hint">Esc</kbd>
        </Button>
        <Button type="submit" disabled={isBusy || text.trim() === ''}>
          Save comment <kbd className="key-hint">{saveKeys}</kbd>
        </Button>
      </div>
    </form>
  );
}
