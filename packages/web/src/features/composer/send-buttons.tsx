import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { StopButton } from './stop-button.tsx';

type SendButtonsProps = {
  readonly isBusy: boolean;
  readonly canSteer: boolean;
  readonly isEmpty: boolean;
  readonly onSteer: () => void;
  readonly onFailure: (message: string) => void;
};

/** What can be done with the words, and with the turn that runs. */
export function SendButtons({ isBusy, canSteer, isEmpty, onSteer, onFailure }: SendButtonsProps): ReactNode {
  return (
    <span className="composer-actions">
      {isBusy && <StopButton onFailure={onFailure} />}
      {isBusy && canSteer && (
        // Always there while it could be used: one that comes with the first letter moves everything.
        <Button disabled={isEmpty} title="Send into the running turn (Ctrl+Enter)" onClick={onSteer}>
          Steer now
        </Button>
      )}
      {isBusy ? (
        <Button type="submit" disabled={isEmpty} title="Send after this turn (Enter)">
          Queue
        </Button>
      ) : (
        <Button look="primary" type="submit" disabled={isEmpty} title="Enter">
          Send
        </Button>
      )}
    </span>
  );
}
