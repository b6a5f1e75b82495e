import type { ReactNode } from 'react';
import type { Density, Theme } from '../../state/layout/theme-store.ts';
import { useCell, useConnection, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { AgentEnvironment } from './agent-environment.tsx';
import { EditorSetting } from './editor-setting.tsx';
import { RetentionSetting } from './retention-setting.tsx';
import { TokenSetting } from './token-setting.tsx';
import { WebhooksSetting } from './webhooks-setting.tsx';
import './settings.css';

const themes: ReadonlyArray<readonly [Theme, string]> = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['contrast', 'High contrast'],
];

const densities: ReadonlyArray<readonly [Density, string]> = [
  ['comfortable', 'Comfortable'],
  ['compact', 'Compact'],
];

/** The user's settings: appearance, notifications, environment variables for agents, sign-in. */
export default function SettingsDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Settings" onClose={onClose} wide>
      <div className="settings">
        <ThemeSetting />
        <DensitySetting />
        <EditorSetting />
        <NotificationSetting />
        <AgentEnvironment />
        <RetentionSetting />
        <WebhooksSetting />
        <TokenSetting />
        <About />
      </div>
    </Dialog>
  );
}

function ThemeSetting(): ReactNode {
  const { theme } = useWorkbench();
  return <Segments name="theme" legend="Theme" options={themes} chosen={useCell(theme)} onChoose={theme.set} />;
}

function DensitySetting(): ReactNode {
  const { density } = useWorkbench();
  return (
    <Segments name="density" legend="Density" options={densities} chosen={useCell(density)} onChoose={density.set} />
  );
}

type SegmentsProps<Value extends string> = {
  readonly name: string;
  readonly legend: string;
  readonly options: ReadonlyArray<readonly [Value, string]>;
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
};

function Segments<Value extends string>({ name, legend, options, chosen, onChoose }: SegmentsProps<Value>): ReactNode {
  return (
    <fieldset className="setting">
      <legend>{legend}</legend>
      <div className="segments">
        {options.map(([value, label]) => (
          <label key={value} className="segment">
            <input type="radio" name={name} value={value} checked={chosen === value} onChange={() => onChoose(value)} />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function NotificationSetting(): ReactNode {
  const { notifier } = useWorkbench();
  const { on, permission } = useCell(notifier);
  return (
    <section className="setting">
      <h3>Notifications</h3>
      {permission === 'unsupported' && <p className="muted">This browser doesn't support notifications here.</p>}
      {permission === 'denied' && (
        <p className="muted">Notifications are blocked. Allow them for this address in the browser's settings.</p>
      )}
      {(permission === 'default' || permission === 'granted') && (
        <>
          <p className="muted">
            Get notified when a session needs you, fails or finishes while this page is in the background. The browser
            asks for permission once.
          </p>
          <Button aria-pressed={on} onClick={() => (on ? notifier.turnOff() : void notifier.turnOn())}>
            {on ? 'Turn notifications off' : 'Turn notifications on'}
          </Button>
        </>
      )}
    </section>
  );
}

function About(): ReactNode {
  const { otherVersion } = useConnection();
  return (
    <section className="setting">
      <h3>About</h3>
      <p className="muted">
        {`Liminal Builder ${__PAGE_VERSION__}`}
        {otherVersion !== null && ` (server ${otherVersion})`}
        {
          '. Everything stays on the machine that runs the server, except what agents send to their models and events for your webhooks.'
        }
      </p>
    </section>
  );
}
