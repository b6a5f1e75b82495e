import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

type SourceSwitchProps = {
  readonly what: 'diagram' | 'formula';
  readonly isSource: boolean;
  readonly onChange: (isSource: boolean) => void;
};

/** Switches between a drawing and its source. */
export const SourceSwitch = ({ what, isSource, onChange }: SourceSwitchProps): ReactNode => (
  <IconButton
    className="source-switch"
    label={isSource ? `Show ${what}` : 'Show source'}
    aria-pressed={isSource}
    onClick={() => onChange(!isSource)}
  >
    <Icon name={isSource ? 'image' : 'code'} />
  </IconButton>
);
