import { useEffect, useId, useState, type ReactNode } from 'react';
import { PreferencesBody, type Retention } from '@liminal/contracts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import '../../ui/field.css';

type Days = Readonly<Record<keyof Retention, string>>;

const fields = [
  ['outputDays', 'Days to keep full tool output'],
  ['decisionDays', 'Days to keep permission decisions'],
] as const;

/** An empty field isn't a number of days: `Number` would read it as 0, which means forever. */
const daysIn = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** How long the server keeps data that sessions can do without. */
export function RetentionSetting(): ReactNode {
  const { api } = useWorkbench();
  const id = useId();
  const [days, setDays] = useState<Days | null>(null);
  const [result, setResult] = useState<{ ok: boolean; message: string } | null>(null);

  useEffect(() => {
    let isCurrent = true;
    void api.workbench.preferences().then((reply) => {
      if (!isCurrent) return;
      if (!reply.ok) return setResult({ ok: false, message: reply.failure.message });
      const { outputDays, decisionDays } = reply.value.retention;
      setDays({ outputDays: String(outputDays), decisionDays: String(decisionDays) });
    });
    return () => {
      isCurrent = false;
    };
  }, [api]);

  const save = async ({ outputDays, decisionDays }: Days): Promise<void> => {
    const retention: Retention = { outputDays: daysIn(outputDays), decisionDays: daysIn(decisionDays) };
    const body = PreferencesBody.safeParse({ retention });
    if (!body.success)
      return setResult({ ok: false, message: `${body.error.issues[0]?.message ?? 'Enter a number'}.` });
    const reply = await api.workbench.savePreferences(body.data);
    setResult(
      reply.ok
        ? { ok: true, message: 'Saved. The server removes older data within a day.' }
        : { ok: false, message: reply.failure.message },
    );
  };

  return (
    <section className="setting">
      <h3>Data retention</h3>
      <form
        className="field"
        onSubmit={(event) => {
          event.preventDefault();
          if (days) void save(days);
        }}
      >
        {fields.map(([name, label]) => (
          <label key={name} className="retention-days">
            <span>{label}</span>
            <input
              className="input"
              inputMode="numeric"
              autoComplete="off"
              value={days?.[name] ?? ''}
              disabled={days === null}
              aria-describedby={`${id}-hint`}
              onChange={(event) => {
                if (days) setDays({ ...days, [name]: event.target.value });
                setResult(null);
              }}
            />
          </label>
        ))}
        <p id={`${id}-hint`} className={result?.ok === false ? 'field-error' : 'field-hint'} aria-live="polite">
          {result?.message ??
            '0 keeps them forever. Sessions stay until you delete them, with a shortened form of long output.'}
        </p>
        <div className="field-row">
          <Button type="submit" aria-label="Save retention" disabled={days === null}>
            Save
          </Button>
        </div>
      </form>
    </section>
  );
}
