import { useEffect, useId, useState, type ReactNode } from 'react';
import type { NamedCommand, Project, ProjectSettings } from '@liminal/contracts';
import { useLateFailure, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { suggestCommands, type SuggestedCommands } from './suggest-commands.ts';
import './project-settings.css';

type ProjectSettingsDialogProps = { readonly project: Project; readonly onClose: () => void };

/** The user's settings for one project. Commands from the repository are only suggestions. */
export function ProjectSettingsDialog({ project, onClose }: ProjectSettingsDialogProps): ReactNode {
  const { api, directory } = useWorkbench();
  const { projectId } = project;
  const reportLate = useLateFailure();
  const [settings, setSettings] = useState<ProjectSettings | null>(null);
  const [suggested, setSuggested] = useState<SuggestedCommands | null>(null);
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const formId = useId();
  useEffect(() => {
    let isWanted = true;
    void api.worktree.settings(projectId).then((reply) => {
      if (!isWanted) return;
      if (reply.ok) setSettings(reply.value);
      else setFailure(reply.failure.message);
    });
    void api.file.tree(projectId, { path: '' }).then((reply) => {
      if (isWanted && reply.ok) setSuggested(suggestCommands((reply.value.entries ?? []).map(({ name }) => name)));
    });
    return () => {
      isWanted = false;
    };
  }, [api, projectId]);

  const save = async (): Promise<void> => {
    if (settings === null) return;
    setBusy(true);
    const commands = settings.commands.filter(({ name, command }) => name.trim() !== '' && command.trim() !== '');
    const reply = await api.worktree.saveSettings(projectId, { ...settings, commands });
    setBusy(false);
    if (!reply.ok) {
      setFailure(reply.failure.message);
      return reportLate(`Couldn't save the settings of ${project.name}.`, reply.failure);
    }
    void directory.refreshProjects();
    return onClose();
  };
  const set = (part: Partial<ProjectSettings>): void =>
    setSettings((held) => (held === null ? held : { ...held, ...part }));
  return (
    <Dialog
      title="Project settings"
      beside={<span className="project-settings-name">{project.name}</span>}
      onClose={onClose}
      wide
    >
      {settings === null && failure === '' && <p className="muted">Loading settings…</p>}
      {settings !== null && (
        <form
          id={formId}
          className="project-settings"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <CommandField
            name="Setup command"
            takesFocus
            about="Runs in each new worktree before the agent starts."
            value={settings.setupCommand}
            suggestion={suggested?.setupCommand}
            onChange={(setupCommand) => set({ setupCommand })}
          />
          <CommandField
            name="Check command"
            about="Runs for each agent you compare. Passes if it exits with 0."
            value={settings.checkCommand}
            suggestion={suggested?.checkCommand}
            onChange={(checkCommand) => set({ checkCommand })}
          />
          <fieldset className="project-setting">
            <legend className="field-label">New sessions work in</legend>
            {(['folder', 'worktree'] as const).map((place) => (
              <label key={place} className="project-choice">
                <input
                  type="radio"
                  name="default-place"
                  checked={settings.defaultPlace === place}
                  onChange={() => set({ defaultPlace: place })}
                />
                {place === 'folder' ? 'This folder' : 'A new worktree'}
              </label>
            ))}
          </fieldset>
          <label className="project-setting">
            <span className="field-label">Folder for worktrees</span>
            <input
              className="input"
              value={settings.worktreeFolder}
              placeholder="Default: Liminal Builder's data directory"
              spellCheck={false}
              onChange={(event) => set({ worktreeFolder: event.target.value })}
            />
          </label>
          <SavedCommands commands={settings.commands} onChange={(commands) => set({ commands })} />
        </form>
      )}
      {failure !== '' && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" form={formId} disabled={settings === null || isBusy}>
          Save
        </Button>
      </div>
    </Dialog>
  );
}

type CommandFieldProps = {
  readonly name: string;
  readonly about: string;
  readonly value: string;
  readonly suggestion: string | undefined;
  /** Takes the focus when it appears. */
  readonly takesFocus?: boolean;
  readonly onChange: (value: string) => void;
};

function CommandField({ name, about, value, suggestion, takesFocus = false, onChange }: CommandFieldProps): ReactNode {
  const [fieldId, aboutId] = [useId(), useId()];
  return (
    <div className="project-setting">
      <label className="field-label" htmlFor={fieldId}>
        {name}
      </label>
      <input
        id={fieldId}
        className="input project-command"
        value={value}
        aria-describedby={aboutId}
        autoFocus={takesFocus}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      <span className="field-hint" id={aboutId}>
        {about}
      </span>
      {value.trim() === '' && suggestion !== undefined && (
        <Button look="quiet" className="project-suggestion" onClick={() => onChange(suggestion)}>
          {'Use '}
          <code>{suggestion}</code>
        </Button>
      )}
    </div>
  );
}

type SavedCommandsProps = {
  readonly commands: readonly NamedCommand[];
  readonly onChange: (commands: NamedCommand[]) => void;
};

/** Commands that can be run by name, such as a development server or the tests. */
function SavedCommands({ commands, onChange }: SavedCommandsProps): ReactNode {
  const change = (index: number, part: Partial<NamedCommand>): void =>
    onChange(commands.map((each, at) => (at === index ? { ...each, ...part } : each)));
  return (
    <fieldset className="project-setting">
      <legend className="field-label">Saved commands</legend>
      {commands.map(({ name, command }, index) => (
        <div key={index} className="project-saved">
          <input
            className="input"
            aria-label={`Name of command ${index + 1}`}
            placeholder="Name"
            value={name}
            onChange={(event) => change(index, { name: event.target.value })}
          />
          <input
            className="input project-command"
            aria-label={`Command ${index + 1}`}
            placeholder="Command"
            spellCheck={false}
            value={command}
            onChange={(event) => change(index, { command: event.target.value })}
          />
          <Button
            look="quiet"
            aria-label={`Remove command ${index + 1}`}
            onClick={() => onChange(commands.filter((_, at) => at !== index))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button className="project-suggestion" onClick={() => onChange([...commands, { name: '', command: '' }])}>
        Add command
      </Button>
    </fieldset>
  );
}
