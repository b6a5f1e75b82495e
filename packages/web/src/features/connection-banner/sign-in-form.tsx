import { useId, useState, type SyntheticEvent, type ReactNode } from 'react';
import { tokenIn } from '../../connection/page-secret.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import '../../ui/field.css';

/** Signs this browser in again without leaving the page, so drafts stay. */
export function SignInForm(): ReactNode {
  const { api, socket } = useWorkbench();
  const [given, setGiven] = useState('');
  const [failure, setFailure] = useState('');
  const fieldId = useId();

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const refused = await api.signIn(tokenIn(given));
    setFailure(refused ?? '');
    if (refused === null) socket.nudge();
  };
  return (
    <form className="banner-sign-in" onSubmit={(event) => void submit(event)}>
      <label htmlFor={fieldId}>Access token</label>
      <input
        id={fieldId}
        className="input"
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={given}
        onChange={(event) => setGiven(event.target.value)}
      />
      <Button type="submit" disabled={given.trim() === ''}>
        Sign in
      </Button>
      <span className="field-error" role="alert">
        {failure}
      </span>
    </form>
  );
}
