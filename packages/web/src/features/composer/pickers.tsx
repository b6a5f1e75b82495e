import { Fragment, useState, type ReactNode } from 'react';
import type { Choice } from '@liminal/contracts';
import { isDangerousMode } from '@liminal/domain/modes/is-dangerous-mode';
import type { ApiResult } from '@liminal/client/call-routes';
import { useInfo, useSession } from '../../state/sessions/use-session.ts';
import { useProvider } from '../../state/sessions/use-provider.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { AgentIcon } from '../../ui/agent-icon.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ConfirmMode } from './confirm-mode.tsx';
import { showHidden } from '@liminal/domain/text/visible-text';
import './pickers.css';

type PickersProps = {
  readonly onFailure: (message: string) => void;
  /** Labelled fields for a form; otherwise a row that collapses into one button. */
  readonly asFields?: boolean;
};

/** Model, effort and mode, if the agent offers a choice. A single model is named, so the user knows which one runs. */
export function Pickers({ onFailure, asFields = false }: PickersProps): ReactNode {
  const { store } = useSession();
  const { choices } = useWorkbench();
  const info = useInfo();
  const id = store.sessionId;
  const [isOpen, setOpen] = useState(false);
  const all = [info.modes, info.models, info.efforts];
  const cliType = useProvider(id)?.cliType ?? '';
  const agent = (
    <span className="picker-agent">
      <AgentIcon agent={cliType} size={14} />
    </span>
  );
  const onlyModel = info.models?.length === 1 ? info.models[0] : undefined;
  const only = onlyModel !== undefined && (
    <span className="picker-only" title={onlyModel.description ?? 'Model'}>
      {agent}
      {showHidden(onlyModel.name)}
    </span>
  );
  if (!asFields && all.every((choices = []) => choices.length < 2)) return only;
  const picks = (
    <>
      {!asFields && (only || agent)}
      <Picker
        label="Model"
        choices={info.models}
        current={info.modelId}
        choose={(to) => choices.setModel(id, to)}
        onFailure={onFailure}
        asFields={asFields}
      />
      <Picker
        label="Effort"
        choices={info.efforts}
        current={info.effort}
        choose={(to) => choices.setEffort(id, to)}
        onFailure={onFailure}
        asFields={asFields}
      />
      <ModePicker onFailure={onFailure} asFields={asFields} />
    </>
  );
  if (asFields) return <div className="picker-fields">{picks}</div>;
  const names = [nameOf(info.models, info.modelId), nameOf(info.modes, info.modeId)].filter((name) => name !== '');
  return (
    <>
      {/* In a narrow pane this button replaces the row and opens the choices in a sheet. */}
      <Button look="quiet" className="pickers-open" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {agent}
        <span className="pickers-names">
          {names.length === 0 && 'Options'}
          {names.map((name, index) => (
            <Fragment key={index}>
              {index > 0 && <span className="pickers-dot"> · </span>}
              <span className="pickers-name">{showHidden(name)}</span>
            </Fragment>
          ))}
        </span>
        <Icon name="down" size={12} />
      </Button>
      <span className={isOpen ? 'pickers pickers-shown' : 'pickers'}>{picks}</span>
    </>
  );
}

const nameOf = (choices: readonly Choice[] | undefined, id: string | undefined): string =>
  (choices ?? []).find((choice) => choice.id === id)?.name ?? '';

/** A mode without permission requests needs a confirmation first. */
function ModePicker({ onFailure, asFields = false }: PickersProps): ReactNode {
  const { store } = useSession();
  const { choices } = useWorkbench();
  const { modes = [], modeId } = useInfo();
  const [asked, setAsked] = useState<Choice | null>(null);
  const current = modes.find((mode) => mode.id === modeId);
  const choose = async (to: string): Promise<ApiResult<unknown>> => {
    const mode = modes.find((each) => each.id === to);
    if (mode === undefined || !isDangerousMode(mode)) return choices.setMode(store.sessionId, to);
    setAsked(mode);
    return { ok: true, value: null };
  };
  const confirm = async (): Promise<void> => {
    if (asked === null) return;
    setAsked(null);
    const reply = await choices.setMode(store.sessionId, asked.id, true);
    onFailure(reply.ok ? '' : reply.failure.message);
  };
  return (
    <>
      <Picker
        label="Mode"
        choices={modes}
        current={modeId}
        choose={choose}
        onFailure={onFailure}
        asFields={asFields}
        isLoud={current !== undefined && isDangerousMode(current)}
      />
      {asked !== null && <ConfirmMode mode={asked} onConfirm={() => void confirm()} onClose={() => setAsked(null)} />}
    </>
  );
}

type PickerProps = PickersProps & {
  readonly label: string;
  readonly choices: readonly Choice[] | undefined;
  readonly current: string | undefined;
  readonly choose: (id: string) => Promise<ApiResult<unknown>>;
  readonly isLoud?: boolean;
};

function Picker({ label, choices = [], current = '', choose, onFailure, ...look }: PickerProps): ReactNode {
  const { isLoud = false, asFields = false } = look;
  const [chosen, setChosen] = useState<string | null>(null);
  if (choices.length < 2) return asFields ? <NoChoice label={label} name={choices[0]?.name} /> : null;
  // Shows the new choice until the server confirms it.
  const value = chosen ?? current;
  const description = choices.find((choice) => choice.id === value)?.description;
  const select = (
    <select
      className={isLoud ? 'picker picker-loud' : 'picker'}
      aria-label={label}
      title={description === undefined ? label : `${label}: ${description}`}
      value={value}
      onChange={(event) => {
        setChosen(event.target.value);
        void choose(event.target.value).then((reply) => {
          setChosen(null);
          onFailure(reply.ok ? '' : reply.failure.message);
        });
      }}
    >
      {!choices.some((choice) => choice.id === value) && (
        <option value={value}>{value !== '' ? value : asFields ? 'Default' : label}</option>
      )}
      {choices.map((choice) => (
        <option key={choice.id} value={choice.id}>
          {showHidden(choice.name)}
        </option>
      ))}
    </select>
  );
  if (!asFields) return select;
  return (
    <label className="picker-field">
      <span className="field-label">{label}</span>
      {select}
    </label>
  );
}

/** In a form, the field is shown even before the agent has reported its options. */
function NoChoice({
  label,
  name = 'Default',
}: {
  readonly label: string;
  readonly name: string | undefined;
}): ReactNode {
  return (
    <label className="picker-field">
      <span className="field-label">{label}</span>
      <select className="picker" disabled>
        <option>{showHidden(name)}</option>
      </select>
    </label>
  );
}
