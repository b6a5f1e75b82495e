import { useEffect, useState, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

/** Copies a text and confirms it briefly; the text is created only when needed. */
export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: () => string;
  readonly label?: string;
}): ReactNode {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready');
  useEffect(() => {
    if (state === 'ready') return undefined;
    const timer = setTimeout(() => setState('ready'), 1500);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    navigator.clipboard.writeText(text()).then(
      () => setState('copied'),
      () => setState('refused'),
    );
  };
  const labels = { ready: label, copied: 'Copied', refused: 'The browser blocked copying' };
  return (
    <IconButton label={labels[state]} onClick={copy}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
    </IconButton>
  );
}
