import { useState, type ReactNode } from 'react';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';

type Step = { readonly name: 'idle' | 'sure' | 'asking' } | { readonly name: 'said'; ok: boolean; words: string };

const explained =
  'The address that the server prints carries a token. With a new one, every other browser and program has to bring it before it is let in again; this browser stays in.';
const done =
  'The token was changed, and every other connection closed. The terminal has the new address; “npx liminal token show” prints it too.';

/** Puts everybody else out, for when the address was seen by somebody it was not meant for. */
export function TokenSetting(): ReactNode {
  const { api, socket } = useWorkbench();
  const [step, setStep] = useState<Step>({ name: 'idle' });

  const rotate = async (): Promise<void> => {
    setStep({ name: 'asking' });
    const reply = await api.rotateToken();
    setStep({ name: 'said', ok: reply.ok, words: reply.ok ? done : reply.failure.message });
    if (reply.ok) socket.nudge();
  };

  return (
    <section className="setting">
      <h3>Who is let in</h3>
      <p className={step.name === 'said' && !step.ok ? 'field-error' : 'muted'} aria-live="polite">
        {step.name === 'said' ? step.words : explained}
      </p>
      {step.name === 'sure' ? (
        <div className="field-row">
          <Button onClick={() => void rotate()}>Yes, change it now</Button>
          <Button onClick={() => setStep({ name: 'idle' })}>Leave it</Button>
        </div>
      ) : (
        <Button disabled={step.name === 'asking'} onClick={() => setStep({ name: 'sure' })}>
          Change the token …
        </Button>
      )}
    </section>
  );
}
