import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useConnection, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { useNow } from '../../state/base/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { SignInForm } from './sign-in-form.tsx';
import './connection-banner.css';

const backMs = 2500;
const reloadedKey = 'liminal.reloaded-for';

/** Shows that the connection is lost, reconnecting or restored, and what to do if a reload is needed. */
export function ConnectionBanner(): ReactNode {
  const { connection } = useWorkbench();
  const { socket, wasOpen, unauthorized, otherVersion, forgetful } = useConnection();
  const isBack = useJustBack(socket.phase === 'lost', socket.phase === 'open');
  if (unauthorized) {
    return (
      <Banner tone="failed">
        <span>
          You're signed out. Open the latest link the server printed, or enter its token. Lost the link? Run{' '}
          <code>npx liminal token show</code> in the Liminal Builder folder.
        </span>
        <SignInForm />
      </Banner>
    );
  }
  if (socket.phase === 'lost') return <Lost retryAt={socket.retryAt} wasOpen={wasOpen} />;
  if (otherVersion !== null) return <OtherVersion version={otherVersion} />;
  if (forgetful) {
    return (
      <Banner tone="waiting">
        Browser storage is unavailable. Drafts won't survive a reload.
        <Button onClick={connection.storageNoted}>Dismiss</Button>
      </Banner>
    );
  }
  return isBack ? (
    <Banner tone="good" floats>
      Reconnected
    </Banner>
  ) : (
    <Banner tone="none">{null}</Banner>
  );
}

/** Offers a reload first. If that didn't help, the server itself delivers an old page. */
function OtherVersion({ version }: { readonly version: string }): ReactNode {
  const { storage } = useWorkbench();
  const wasTried = storage.read(reloadedKey) === version;
  return (
    <Banner tone="waiting">
      {wasTried
        ? `The server runs version ${version}, but its page is older. Restart it with npm start to rebuild the page.`
        : `The server runs version ${version}, but this page is version ${__PAGE_VERSION__}.`}
      <Button
        onClick={() => {
          storage.write(reloadedKey, version);
          location.reload();
        }}
      >
        Reload page
      </Button>
    </Banner>
  );
}

function Lost({ retryAt, wasOpen }: { readonly retryAt: number; readonly wasOpen: boolean }): ReactNode {
  const { socket } = useWorkbench();
  const seconds = Math.ceil((retryAt - useNow(500)) / 1000);
  return (
    <Banner tone="waiting" floats>
      <StatusBadge status="unknown" />
      <span>{wasOpen ? 'Disconnected.' : "Can't reach the server."}</span>
      {/* Screen readers announce the loss once, not the countdown. */}
      <span aria-hidden="true" className="banner-retry">
        {seconds > 0 ? `Retrying in ${seconds} s…` : 'Retrying…'} <span className="banner-more">Drafts are kept.</span>
      </span>
      <Button onClick={socket.nudge}>Retry now</Button>
    </Banner>
  );
}

type BannerProps = {
  readonly tone: 'failed' | 'waiting' | 'good' | 'none';
  /** Appears and disappears by itself, so it floats above the page and moves nothing. */
  readonly floats?: boolean;
  readonly children: ReactNode;
};

function Banner({ tone, floats = false, children }: BannerProps): ReactNode {
  return (
    <div className={`banner banner-${tone}${floats ? ' banner-floats' : ''}`} role="status">
      {children}
    </div>
  );
}

function useJustBack(isLost: boolean, isOpen: boolean): boolean {
  const wasLost = useRef(false);
  const [isBack, setIsBack] = useState(false);
  useEffect(() => {
    if (isLost) wasLost.current = true;
    if (!isOpen || !wasLost.current) return undefined;
    wasLost.current = false;
    setIsBack(true);
    const timer = setTimeout(() => setIsBack(false), backMs);
    return () => clearTimeout(timer);
  }, [isLost, isOpen]);
  return isBack;
}
