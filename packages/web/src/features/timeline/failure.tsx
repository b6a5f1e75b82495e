import { personsItemId } from '@liminal/domain/items/item-id';
import { useState, type ReactNode } from 'react';
import { showControls } from '@liminal/domain/text/visible-text';
import { useSession } from '../../state/sessions/use-session.ts';
import { useAgentSignIn } from '../../state/terminals/use-agent-sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { adviceFor, commandsIn, crashParts } from './failure-advice.ts';
import { canResend, useResend } from './use-resend.ts';

import './failure.css';

/** Text in backticks is something to type. */
const withCode = (text: string): ReactNode =>
  text.split(/`([^`\n]+)`/).map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

type FailureProps = { readonly turnId: string; readonly error: { readonly code: string; readonly message: string } };

/** A failed turn: what happened, what was kept, and the next step as a button. */
export function Failure({ turnId, error }: FailureProps): ReactNode {
  const { store, agentName } = useSession();
  const { resend, isBusy } = useResend();
  const [isSent, setSent] = useState(false);
  const said = store.item(personsItemId(turnId));
  const { title, advice } = adviceFor(error.code, agentName);
  const { how, rest } = error.code === 'PROCESS_CRASH' ? crashParts(error.message) : { how: '', rest: error.message };
  const needsAccount = error.code === 'AGENT_AUTH_REQUIRED';
  const signIn = useAgentSignIn(store.sessionId);
  const isOffered = needsAccount && signIn !== null;
  const isSignedIn = isOffered && signIn.phase === 'done';
  const commands = needsAccount ? commandsIn(error.message) : [];
  return (
    <div className="failure" role="group" aria-label="The turn failed">
      <p className="failure-title">
        <StatusBadge status="failed" />
        {how === '' ? title : `${title} (${showControls(how)})`}
      </p>
      {rest !== '' && (
        <p className="failure-message" dir="auto">
          {withCode(showControls(rest))}
        </p>
      )}
      {commands.map((command) => (
        <div key={command} className="command failure-command">
          <pre dir="ltr" tabIndex={0}>
            {command}
          </pre>
          <CopyButton text={() => command} label="Copy command" />
        </div>
      ))}
      <p role="status">{isSignedIn ? `You're signed in to ${agentName}. Send your message again.` : advice}</p>
      <div className="failure-actions">
        {isOffered && !isSignedIn && (
          <Button look="primary" onClick={signIn.start}>
            {signIn.phase === 'running' ? 'Show sign-in' : 'Sign in'}
          </Button>
        )}
        {said?.type === 'message' && canResend(said) && (
          <Button
            {...(isSignedIn ? { look: 'primary' as const } : {})}
            disabled={isSent || isBusy}
            onClick={async () => setSent(await resend(said))}
          >
            Retry
          </Button>
        )}
      </div>
    </div>
  );
}
