import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { showHidden } from '@liminal/domain/text/visible-text';
import type { Completion } from './use-completions.ts';
import './completion-list.css';

type CompletionListProps = {
  readonly id: string;
  readonly label: string;
  readonly completions: readonly Completion[];
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
};

/** Completions for the text. The focus stays in the text field; keys select here. */
export function CompletionList({ id, label, completions, chosen, onChoose }: CompletionListProps): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div ref={list} id={id} className="completions" role="listbox" aria-label={label}>
      {completions.map((completion, index) => (
        <div
          key={completion.key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          className={index === chosen ? 'completion completion-chosen' : 'completion'}
          // On pointer down, before the field loses the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(index);
          }}
        >
          <span className="completion-name">{showHidden(completion.name)}</span>
          <span className="completion-note">{completion.note}</span>
        </div>
      ))}
    </div>
  );
}
