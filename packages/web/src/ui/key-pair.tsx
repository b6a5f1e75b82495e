import type { ReactNode } from 'react';
import './button.css';

type KeyPairProps = {
  readonly keys: string;
  /** A character that is typed into the text, so it is shown on a phone too. */
  readonly isTyped?: boolean;
  readonly children: ReactNode;
};

/** A key and what it does. The two stay together; pairs in a row are further apart. */
export function KeyPair({ keys, isTyped = false, children }: KeyPairProps): ReactNode {
  return (
    <span className={isTyped ? 'key-pair key-pair-typed' : 'key-pair'}>
      <kbd className={isTyped ? 'key-hint key-typed' : 'key-hint'}>{keys}</kbd> {children}
    </span>
  );
}
