import { useEffect, useState, type ReactNode } from 'react';
import type { RewindPlanReply, RewindReply } from '@liminal/contracts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { plural } from '../../ui/format.ts';
import './rewind-dialog.css';

type RewindDialogProps = {
  readonly sessionId: string;
  /** The first turn that is taken back. */
  readonly turnId: string;
  /** Its message, which comes back into the composer. */
  readonly text: string;
  readonly onClose: () => void;
};

const changes = { added: 'removed again', modified: 'as it was', deleted: 'brought back' } as const;

/** Shows what taking turns back would do to conversation and files, does it, and takes it back once more if wanted. */
export default function RewindDialog({ sessionId, turnId, text, onClose }: RewindDialogProps): ReactNode {
  const { api, panels } = useWorkbench();
  const [plan, setPlan] = useState<RewindPlanReply | null>(null);
  const [done, setDone] = useState<RewindReply | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [also, setAlso] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    let isWanted = true;
    void api.session.planRewind(sessionId, { turnId }).then((planned) => {
      if (!isWanted) return;
      if (planned.ok) setPlan(planned.value);
      else setFailure(planned.failure.message);
    });
    return () => {
      isWanted = false;
    };
  }, [api, sessionId, turnId]);

  const rewind = async (planId: string): Promise<void> => {
    setBusy(true);
    const rewound = await api.session.rewind(sessionId, { turnId, planId, also: [...also] });
    setBusy(false);
    if (!rewound.ok) return setFailure(rewound.failure.message);
    setFailure(null);
    setDone(rewound.value);
    if (text !== '') panels.insert.set({ sessionId, text });
  };
  const undo = async (rewindId: string): Promise<void> => {
    setBusy(true);
    const undone = await api.session.undoRewind(sessionId, { rewindId });
    setBusy(false);
    if (undone.ok) onClose();
    else setFailure(undone.failure.message);
  };
  const toggle = (path: string) => (): void =>
    setAlso((chosen) => new Set(chosen.has(path) ? [...chosen].filter((each) => each !== path) : [...chosen, path]));

  return (
    <Dialog title={done === null ? 'Rewind to before this message' : 'Rewound'} onClose={onClose}>
      <div className="dialog-text rewind">
        {plan === null && failure === null && <p role="status">Looking at what would change…</p>}
        {plan !== null && done === null && <Plan plan={plan} also={also} toggle={toggle} />}
        {done !== null && (
          <p role="status">
            {`${plural(done.restored.length, 'file')} restored`}
            {done.left.length > 0
              ? `, ${plural(done.left.length, 'file')} left because they changed meanwhile.`
              : '.'}{' '}
            The message is in the composer. You can undo this until you send something.
          </p>
        )}
      </div>
      {failure !== null && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
      <div className="dialog-actions">
        {done === null ? (
          <>
            <Button data-autofocus onClick={onClose}>
              Cancel
            </Button>
            <Button look="danger" disabled={plan === null || busy} onClick={() => plan && void rewind(plan.planId)}>
              Rewind
            </Button>
          </>
        ) : (
          <>
            <Button disabled={busy} onClick={() => void undo(done.rewindId)}>
              Undo rewind
            </Button>
            <Button look="primary" data-autofocus onClick={onClose}>
              Done
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}

type PlanProps = {
  readonly plan: RewindPlanReply;
  readonly also: ReadonlySet<string>;
  readonly toggle: (path: string) => () => void;
};

function Plan({ plan, also, toggle }: PlanProps): ReactNode {
  const sure = plan.restore.filter(({ selected }) => selected);
  const unsure = [
    ...plan.restore
      .filter(({ selected }) => !selected)
      .map(({ path }) => ({ path, reason: 'Not named by this session' })),
    ...plan.foreign,
  ];
  return (
    <>
      <p>{`${plural(plan.turns, 'turn')} will leave the conversation. You can undo this until you send something.`}</p>
      <Files title="Restored" paths={sure.map(({ path, change }) => ({ path, note: changes[change] }))} />
      <Files title="Merged with what others changed" paths={plan.merge.map((path) => ({ path, note: '' }))} />
      {unsure.length > 0 && (
        <section>
          <h3>Left alone, unless you tick them</h3>
          <ul>
            {unsure.map(({ path, reason }) => (
              <li key={path}>
                <label>
                  <input type="checkbox" checked={also.has(path)} onChange={toggle(path)} /> <code>{path}</code>{' '}
                  <span className="muted">{reason}</span>
                </label>
              </li>
            ))}
          </ul>
        </section>
      )}
      {plan.lost.length > 0 && (
        <section>
          <h3>Can't be taken back</h3>
          <ul>
            {plan.lost.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
      {sure.length + plan.merge.length + unsure.length === 0 && <p>No file changes.</p>}
    </>
  );
}

type FilesProps = {
  readonly title: string;
  readonly paths: readonly { readonly path: string; readonly note: string }[];
};

function Files({ title, paths }: FilesProps): ReactNode {
  if (paths.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {paths.map(({ path, note }) => (
          <li key={path}>
            <code>{path}</code> <span className="muted">{note}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
