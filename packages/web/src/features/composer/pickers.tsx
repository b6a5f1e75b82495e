import { useState, type ReactNode } from 'react';
import type { Choice } from '@liminal/contracts';
import type { ApiResult } from '../../connection/api.ts';
import { useInfo, useSession } from '../../state/use-session.ts';
import { useWorkbench } from '../../state/use-workbench.ts';

/** Mode, model and effort, where the agent offers a choice. */
export function Pickers({ onFailure }: { readonly onFailure: (message: string) => void }): ReactNode {
  const { store } = useSession();
  const { api } = useWorkbench();
  const info = useInfo();
  const id = store.sessionId;
  return (
    <>
      <Picker
        label="Mode"
        choices={info.modes}
        current={info.modeId}
        choose={(to) => api.setMode(id, to)}
        onFailure={onFailure}
      />
      <Picker
        label="Model"
        choices={info.models}
        current={info.modelId}
        choose={(to) => api.setModel(id, to)}
        onFailure={onFailure}
      />
      <Picker
        label="Effort"
        choices={info.efforts}
        current={info.effort}
        choose={(to) => api.setEffort(id, to)}
        onFailure={onFailure}
      />
    </>
  );
}

type PickerProps = {
  readonly label: string;
  readonly choices: readonly Choice[] | undefined;
  readonly current: string | undefined;
  readonly choose: (id: string) => Promise<ApiResult<unknown>>;
  readonly onFailure: (message: string) => void;
};

function Picker({ label, choices = [], current = '', choose, onFailure }: PickerProps): ReactNode {
  const [chosen, setChosen] = useState<string | null>(null);
  if (choices.length < 2) return null;
  // What was just chosen is shown until the server says what is.
  const value = chosen ?? current;
  return (
    <select
      className="picker"
      aria-label={label}
      title={`${label}: ${choices.find((choice) => choice.id === value)?.description ?? ''}`}
      value={value}
      onChange={(event) => {
        setChosen(event.target.value);
        void choose(event.target.value).then((reply) => {
          setChosen(null);
          onFailure(reply.ok ? '' : reply.failure.message);
        });
      }}
    >
      {!choices.some((choice) => choice.id === value) && <option value={value}>{value === '' ? label : value}</option>}
      {choices.map((choice) => (
        <option key={choice.id} value={choice.id}>
          {choice.name}
        </option>
      ))}
    </select>
  );
}
