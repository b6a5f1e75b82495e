import type { ReactNode } from 'react';
import { machineTrouble, nameAndMachine } from '../../../state/workbench/describe-machine.ts';
import { useDirectory, useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { useEffect } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { KeyPair } from '../../../ui/key-pair.tsx';
import { WorktreeFields } from '../../../ui/worktrees/worktree-fields.tsx';
import { AttachButton, AttachmentList } from '../attachments.tsx';
import { ComposerInput } from '../composer-input.tsx';
import { Pickers } from '../pickers.tsx';
import { AgentField } from './agent-field.tsx';
import { CandidateFields } from './candidate-fields.tsx';
import { PlaceField, placesOf } from './place-field.tsx';
import { StartFailure } from './start-failure.tsx';
import { StartScope, type StartPlace } from './start-scope.tsx';
import { TrustStep } from './trust-step.tsx';
import { useComparison } from './use-comparison.ts';
import { useStart } from './use-start.ts';
import '../composer.css';
import './start.css';

type StartDialogProps = { readonly projectId?: string; readonly onClose: () => void };

/** A form for a new session: the task, the agent, and the place. Enter starts it. */
export default function StartDialog({ projectId, onClose }: StartDialogProps): ReactNode {
  const { directory } = useWorkbench();
  // The user may have installed or signed in to an agent since the page was opened.
  useEffect(() => void directory.refresh(), [directory]);
  const loading = (
    <Dialog title="New session" onClose={onClose} wide>
      <p className="muted">Loading agents…</p>
    </Dialog>
  );
  return (
    <StartScope projectId={projectId} fallback={loading}>
      {(place) => <StartFields {...place} onClose={onClose} />}
    </StartScope>
  );
}

type StartFieldsProps = StartPlace & { readonly onClose: () => void };

function StartFields({ session, project, agent, onClose }: StartFieldsProps): ReactNode {
  const { startForm, newSessions } = useWorkbench();
  const { projects } = useDirectory();
  const start = useStart({ project, agent, isEager: true, onStarted: onClose });
  const comparison = useComparison({
    sessionId: session.id,
    project,
    cliType: session.cliType,
    start,
    onStarted: onClose,
  });
  const { candidates } = comparison;
  const { attachments, trouble } = start;
  const submit = candidates === null ? start.submit : () => void comparison.submit();
  const agentName = candidates === null ? (agent?.name ?? 'The agent') : 'the candidates';
  const places = placesOf(project);
  const worktree = places.length > 1 ? (session.place ?? null) : null;
  if (start.isAsking && agent !== undefined) return <TrustStep project={project} agent={agent} start={start} />;

  const chooseProject = (
    <select
      className="picker start-project"
      aria-label="Project"
      value={project.projectId}
      onChange={(event) => startForm.open(event.target.value)}
    >
      {projects.map((each) => (
        <option key={each.projectId} value={each.projectId} disabled={machineTrouble(each.node) !== ''}>
          {nameAndMachine(each)}
        </option>
      ))}
    </select>
  );
  return (
    <Dialog key="form" title="New session" beside={<>in {chooseProject}</>} onClose={onClose} wide>
      <form
        className="start-form"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="start-message">
          <AttachmentList images={attachments.images} onRemove={attachments.remove} />
          <ComposerInput
            isFirst
            label="First message"
            text={start.text}
            placeholder={`What should ${agentName} do?`}
            onText={start.write}
            onEnter={submit}
            onFiles={(files) => void attachments.add(files)}
            onMention={start.onMention}
          />
          <div className="start-hints">
            {agent?.capabilities.images && <AttachButton onFiles={(files) => void attachments.add(files)} />}
            <KeyPair keys="@" isTyped>
              add a file
            </KeyPair>
            <KeyPair keys="/" isTyped>
              run a command
            </KeyPair>
            <KeyPair keys="Shift+Enter">new line</KeyPair>
          </div>
        </div>
        {trouble !== '' && <p className="field-error">{`Can't start a session: ${trouble}.`}</p>}
        {places.length > 1 && (
          <label className="start-compare">
            <input type="checkbox" checked={candidates !== null} onChange={comparison.toggle} />
            Compare several agents or models
          </label>
        )}
        {candidates !== null ? (
          <>
            <CandidateFields project={project} candidates={candidates} onChange={comparison.choose} />
            <label className="worktree-field">
              <span>Base branch</span>
              <input
                type="text"
                value={comparison.base}
                placeholder={project.branch ?? 'current branch'}
                spellCheck={false}
                onChange={(event) => comparison.setBase(event.target.value)}
              />
            </label>
          </>
        ) : (
          <>
            <AgentField session={session} project={project} />
            {/* Reserves the space before the agent has reported its options, so nothing moves. */}
            <div className="start-choices">
              {!start.needsTrust && <Pickers asFields onFailure={start.setFailure} />}
            </div>
            <PlaceField
              places={places}
              chosen={worktree === null ? 'folder' : 'worktree'}
              onChoose={(id) => newSessions.place(session.id, id === 'worktree' ? { kind: 'worktree' } : null)}
            />
            {worktree !== null && (
              <WorktreeFields
                choice={worktree}
                branch={project.branch}
                onChange={(choice) => newSessions.place(session.id, choice)}
              />
            )}
          </>
        )}
        {/* Closes the dialog, which would cover the sign-in terminal. The draft stays. */}
        <StartFailure onSignIn={onClose} />
        {start.failure !== '' && (
          <p className="field-error" role="alert">
            {start.failure}
          </p>
        )}
        <div className="dialog-actions">
          <Button look="quiet" onClick={onClose}>
            Cancel <kbd className="key-hint">Esc</kbd>
          </Button>
          <Button
            type="submit"
            look="primary"
            disabled={agent === undefined || trouble !== '' || comparison.isStarting}
          >
            {candidates === null
              ? 'Start session'
              : comparison.asksTrust
                ? 'Trust these settings and start'
                : 'Start comparison'}{' '}
            <kbd className="key-hint">Enter</kbd>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
