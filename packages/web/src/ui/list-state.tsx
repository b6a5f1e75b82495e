import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import './list-state.css';

/** A list that is loading: a placeholder, after a moment. The label is for screen readers. */
export function LoadingRows({ label, rows = 3 }: { readonly label: string; readonly rows?: number }): ReactNode {
  return (
    <div className="list-shape" role="status" aria-busy="true">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} aria-hidden="true" />
      ))}
    </div>
  );
}

type LoadFailedProps = {
  /** What couldn't be done, as a sentence. */
  readonly title: string;
  readonly message: string;
  readonly onRetry: () => void;
};

/** A list that couldn't be loaded: what happened, why, and a retry button. */
export function LoadFailed({ title, message, onRetry }: LoadFailedProps): ReactNode {
  return (
    <div className="list-state" role="alert">
      <p className="list-state-title">{title}</p>
      <p>{message}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

type EmptyListProps = {
  readonly title: string;
  /** What will appear here, or how to add something. */
  readonly children: ReactNode;
  readonly action?: { readonly label: string; readonly onChoose: () => void };
};

/** An empty list. */
export function EmptyList({ title, children, action }: EmptyListProps): ReactNode {
  return (
    <div className="list-state">
      <p className="list-state-title">{title}</p>
      <p>{children}</p>
      {action !== undefined && <Button onClick={action.onChoose}>{action.label}</Button>}
    </div>
  );
}
