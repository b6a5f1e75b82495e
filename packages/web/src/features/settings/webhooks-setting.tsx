import { useCallback, useEffect, useId, useState, type ReactNode } from 'react';
import { AddWebhookBody, type EventKind, type Webhook } from '@liminal/contracts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { useNow } from '../../state/base/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatAgo } from '../../ui/format.ts';
import { LoadFailed, LoadingRows } from '../../ui/list-state.tsx';
import '../../ui/field.css';

const kinds: ReadonlyArray<readonly [EventKind, string]> = [
  ['needs-you', 'A session needs you'],
  ['turn-ended', 'A turn ended'],
  ['turn-failed', 'A turn failed'],
  ['session-created', 'A session was created'],
  ['session-removed', 'A session was deleted'],
];
const usualKinds: readonly EventKind[] = ['needs-you', 'turn-ended', 'turn-failed'];

/** URLs that the server sends events to, each with its last delivery, and a form to add one. */
export function WebhooksSetting(): ReactNode {
  const { api } = useWorkbench();
  const [webhooks, setWebhooks] = useState<readonly Webhook[] | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [unread, setUnread] = useState<string | null>(null);
  const [isAdding, setIsAdding] = useState(false);

  const show = useCallback((reply: Awaited<ReturnType<typeof api.webhook.list>>): void => {
    setUnread(reply.ok ? null : reply.failure.message);
    if (reply.ok) setWebhooks(reply.value.webhooks);
  }, []);
  const load = (): void => void api.webhook.list().then(show);
  useEffect(() => {
    const reload = (): void => void api.webhook.list().then(show);
    reload();
    window.addEventListener('focus', reload);
    return () => window.removeEventListener('focus', reload);
  }, [api, show]);

  const remove = async (webhookId: string): Promise<void> => {
    const reply = await api.webhook.remove(webhookId);
    setError(reply.ok ? null : reply.failure.message);
    load();
  };

  return (
    <section className="setting">
      <h3>Webhooks</h3>
      <p className="muted">
        The server posts events to these addresses as signed JSON, and retries until they are received. Events contain
        no messages, code or secrets.
      </p>
      {error !== null && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      {unread !== null && <LoadFailed title="Couldn't list the webhooks." message={unread} onRetry={load} />}
      {webhooks === null && unread === null && <LoadingRows label="Loading webhooks…" rows={2} />}
      {webhooks?.length === 0 && unread === null && !isAdding && <p className="field-hint">No webhooks yet.</p>}
      {webhooks !== null && webhooks.length > 0 && (
        <ul className="webhooks">
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.webhookId} webhook={webhook} onRemove={() => void remove(webhook.webhookId)} />
          ))}
        </ul>
      )}
      {secret !== null && (
        <div className="webhook-secret" role="status">
          <p>Signing secret. It isn't shown again, so copy it to the receiver now.</p>
          <div className="field-row">
            <code>{secret}</code>
            <CopyButton text={() => secret} label="Copy signing secret" />
          </div>
        </div>
      )}
      {isAdding ? (
        <WebhookForm
          onDone={(added) => {
            setIsAdding(false);
            setError(null);
            if (added !== null) setSecret(added);
            load();
          }}
        />
      ) : (
        <Button onClick={() => setIsAdding(true)}>Add webhook…</Button>
      )}
    </section>
  );
}

function WebhookRow({ webhook, onRemove }: { readonly webhook: Webhook; readonly onRemove: () => void }): ReactNode {
  const { url, events, last, pending } = webhook;
  const now = useNow(30_000);
  const names = kinds.filter(([kind]) => events.includes(kind)).map(([, name]) => name);
  return (
    <li>
      <div className="webhook-text">
        <span className="webhook-url">{url}</span>
        <span className="field-hint">{events.length === kinds.length ? 'All events' : names.join(', ')}</span>
        <span className={last?.ok === false ? 'field-error' : 'field-hint'}>
          {last === undefined ? 'Nothing sent yet' : `${last.message} ${formatAgo(last.at, now)}`}
          {pending > 0 && ` · ${pending} waiting`}
        </span>
      </div>
      <Button aria-label={`Remove webhook ${url}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

function WebhookForm({ onDone }: { readonly onDone: (secret: string | null) => void }): ReactNode {
  const { api } = useWorkbench();
  const id = useId();
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<readonly EventKind[]>(usualKinds);
  const [allowPrivate, setAllowPrivate] = useState(false);
  const [includeTitle, setIncludeTitle] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const add = async (): Promise<void> => {
    const body = AddWebhookBody.safeParse({ url: url.trim(), events: chosen, allowPrivate, includeTitle });
    if (!body.success) return setError(`${body.error.issues[0]?.message ?? "This address isn't valid"}.`);
    const reply = await api.webhook.add(body.data);
    if (reply.ok) onDone(reply.value.secret);
    else setError(reply.failure.message);
  };

  return (
    <form
      className="field webhook-form"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label className="field-label" htmlFor={id}>
        Address
      </label>
      <input
        id={id}
        className="input"
        inputMode="url"
        value={url}
        autoComplete="off"
        spellCheck={false}
        placeholder="https://example.com/hooks/liminal"
        aria-describedby={`${id}-hint`}
        aria-invalid={error !== null}
        onChange={(event) => {
          setUrl(event.target.value);
          setError(null);
        }}
      />
      <p id={`${id}-hint`} className={error === null ? 'field-hint' : 'field-error'} aria-live="polite">
        {error ?? 'Redirects aren’t followed. Link-local and metadata addresses are blocked.'}
      </p>
      <fieldset className="webhook-ticks">
        <legend>Events</legend>
        {kinds.map(([kind, name]) => (
          <Tick
            key={kind}
            name={name}
            checked={chosen.includes(kind)}
            onChange={(on) => setChosen(on ? [...chosen, kind] : chosen.filter((each) => each !== kind))}
          />
        ))}
      </fieldset>
      <Tick name="Include session titles" checked={includeTitle} onChange={setIncludeTitle} />
      <Tick name="Allow private addresses" checked={allowPrivate} onChange={setAllowPrivate} />
      <div className="field-row">
        <Button type="submit">Add webhook</Button>
        <Button onClick={() => onDone(null)}>Cancel</Button>
      </div>
    </form>
  );
}

type TickProps = { readonly name: string; readonly checked: boolean; readonly onChange: (on: boolean) => void };

function Tick({ name, checked, onChange }: TickProps): ReactNode {
  return (
    <label className="webhook-tick">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>{name}</span>
    </label>
  );
}
