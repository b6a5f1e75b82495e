import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StopButton } from './stop-button.tsx';

type SendButtonsProps = {
  readonly isBusy: boolean;
  readonly canSteer: boolean;
  readonly isEmpty: boolean;
  readonly onSteer: () => void;
  readonly onFailure: (message: string) => void;
};

/** The buttons that send, queue, steer and stop. */
export function SendButtons({ isBusy, canSteer, isEmpty, onSteer, onFailure }: SendButtonsProps): ReactNode {
  return (
    <span className="composer-actions">
      {isBusy && <StopButton onFailure={onFailure} />}
      {isBusy && canSteer && (
        // Shown whenever it could be used: if it appeared with the first letter, the layout would jump.
        <Button disabled={isEmpty} title="Send into the running turn (Ctrl+Enter)" onClick={onSteer}>
          <Icon name="steer" />
          <span className="send-label">Steer now</span>
        </Button>
      )}
      {isBusy ? (
        <Button type="submit" disabled={isEmpty} title="Send after this turn (Enter)">
          <Icon name="arrowUp" />
          <span className="send-label">Queue</span>
        </Button>
      ) : (
        <Button look="primary" type="submit" disabled={isEmpty} title="Enter">
          <Icon name="arrowUp" />
          <span className="send-label">Send</span>
        </Button>
      )}
    </span>
  );
}
