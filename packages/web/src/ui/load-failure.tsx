import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialogs/dialog.tsx';

type LoadFailureProps = { readonly onClose: () => void; readonly children: ReactNode };

/** Keeps the page alive if a lazy part can't be loaded: the server is gone, or has another build. */
export class LoadFailure extends Component<LoadFailureProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    const close = (): void => {
      this.setState({ failed: false });
      this.props.onClose();
    };
    return (
      <Dialog title="Couldn't load this part of the page" onClose={close}>
        <p>The server isn't responding, or it was updated. Your drafts survive a reload.</p>
        <div className="dialog-actions">
          <Button onClick={close}>Not now</Button>
          <Button look="primary" onClick={() => location.reload()}>
            Reload page
          </Button>
        </div>
      </Dialog>
    );
  }
}
