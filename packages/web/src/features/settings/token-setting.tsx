import { useState, type ReactNode } from 'react';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';

type Step = { readonly name: 'idle' | 'sure' | 'asking' } | { readonly name: 'said'; ok: boolean; text: string };

const explained =
  'The link that the server prints contains an access token. Rotating the token signs out every other browser and program. This browser stays signed in.';
const done =
  'Token rotated. Every other connection was closed. The terminal shows the new link; “npx liminal token show” prints it too.';

/** Signs out everyone else, for when somebody else has seen the address. */
export function TokenSetting(): ReactNode {
  const { api, socket } = useWorkbench();
  const [step, setStep] = useState<Step>({ name: 'idle' });

  const rotate = async (): Promise<void> => {
    setStep({ name: 'asking' });
    const reply = await api.rotateToken();
    setStep({ name: 'said', ok: reply.ok, text: reply.ok ? done : reply.failure.message });
    if (reply.ok) socket.nudge();
  };

  return (
    <section className="setting">
      <h3>Access token</h3>
      <p className={step.name === 'said' && !step.ok ? 'field-error' : 'muted'} aria-live="polite">
        {step.name === 'said' ? step.text : explained}
      </p>
      {step.name === 'sure' ? (
        <div className="field-row">
          <Button onClick={() => void rotate()}>Rotate token</Button>
          <Button onClick={() => setStep({ name: 'idle' })}>Cancel</Button>
        </div>
      ) : (
        <Button disabled={step.name === 'asking'} onClick={() => setStep({ name: 'sure' })}>
          Rotate token…
        </Button>
      )}
    </section>
  );
}
