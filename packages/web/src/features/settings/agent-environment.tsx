import { useEffect, useId, useState, type ReactNode } from 'react';
import { PreferencesBody, type Preferences } from '@liminal/contracts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import '../../ui/field.css';

const namesIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))];

/** The names of additional environment variables for agents; never their values. */
export function AgentEnvironment(): ReactNode {
  const { api } = useWorkbench();
  const id = useId();
  const [kept, setKept] = useState<Preferences | null>(null);
  const [text, setText] = useState('');
  const [said, setSaid] = useState<{ ok: boolean; text: string } | null>(null);

  useEffect(() => {
    let isCurrent = true;
    void api.workbench.preferences().then((reply) => {
      if (!isCurrent) return;
      if (!reply.ok) return setSaid({ ok: false, text: reply.failure.message });
      setKept(reply.value);
      setText(reply.value.agentEnv.join(', '));
    });
    return () => {
      isCurrent = false;
    };
  }, [api]);

  const save = async (): Promise<void> => {
    const body = PreferencesBody.safeParse({ agentEnv: namesIn(text) });
    if (!body.success) {
      const problem = `${body.error.issues[0]?.message ?? "Those names can't be saved"}. Separate names with commas.`;
      return setSaid({ ok: false, text: problem });
    }
    const reply = await api.workbench.savePreferences(body.data);
    setSaid(
      reply.ok
        ? { ok: true, text: 'Saved. Applies to agents started from now on.' }
        : { ok: false, text: reply.failure.message },
    );
  };

  return (
    <section className="setting">
      <h3>Environment variables for agents</h3>
      <form
        className="field"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label className="field-label" htmlFor={id}>
          Additional variable names
        </label>
        <div className="field-row">
          <input
            id={id}
            className="input setting-names"
            value={text}
            disabled={kept === null}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="AWS_PROFILE, DATABASE_URL"
            aria-describedby={`${id}-hint`}
            aria-invalid={said?.ok === false}
            onChange={(event) => {
              setText(event.target.value);
              setSaid(null);
            }}
          />
          <Button type="submit" disabled={kept === null}>
            Save
          </Button>
        </div>
        <p id={`${id}-hint`} className={said?.ok === false ? 'field-error' : 'field-hint'} aria-live="polite">
          {said?.text ??
            "Agents get the usual terminal variables and their vendor's keys. They get other secrets only if you list them here."}
        </p>
        {kept !== null && kept.startedWith.length > 0 && (
          <p className="field-hint">{`Set by LIMINAL_AGENT_ENV at startup: ${kept.startedWith.join(', ')}`}</p>
        )}
      </form>
    </section>
  );
}
