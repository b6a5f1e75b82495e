import { useId, type ReactNode } from 'react';
import { showHidden } from '@liminal/domain/text/visible-text';
import { Button } from '../../ui/button.tsx';

type RefusalProps = {
  /** The option it sends, with the agent's own name. */
  readonly name: string;
  readonly agentName: string;
  readonly reason: string;
  readonly disabled: boolean;
  /** Whether the user has just asked for the field. */
  readonly takesFocus: boolean;
  readonly onReason: (reason: string) => void;
  readonly onRefuse: () => void;
  readonly onCancel: () => void;
};

/** Replaces the options: a field for the reason, and the button that refuses. */
export function Refusal(props: RefusalProps): ReactNode {
  const { name, agentName, reason, disabled, takesFocus, onReason, onRefuse, onCancel } = props;
  const id = useId();
  return (
    <>
      <div className="field">
        <label htmlFor={id}>
          <span className="field-label">Reason for refusing</span> <span className="muted">optional</span>
        </label>
        <input
          id={id}
          className="input"
          autoFocus={takesFocus}
          value={reason}
          placeholder="What to do instead"
          onChange={(event) => onReason(event.target.value)}
        />
      </div>
      <div className="permission-options">
        <Button className="button-final" disabled={disabled} onClick={onRefuse}>
          {showHidden(name)} <kbd className="key-hint">Enter</kbd>
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel <kbd className="key-hint">Esc</kbd>
        </Button>
        <span className="permission-aside">{`${agentName} reads the reason and continues`}</span>
      </div>
    </>
  );
}
