import type { ReactNode } from 'react';
import { showHidden } from '@liminal/domain/text/visible-text';
import { machineTrouble, nameAndMachine } from '../../../state/workbench/describe-machine.ts';
import { agentsInOrder } from '../../../state/workbench/directory-store.ts';
import { useCell, useDirectory, useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { AgentIcon } from '../../../ui/agent-icon.tsx';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { KeyPair } from '../../../ui/key-pair.tsx';
import { keysText } from '../../../ui/keys.ts';
import { AttachButton, AttachmentList } from '../attachments.tsx';
import { ComposerInput } from '../composer-input.tsx';
import { Pickers } from '../pickers.tsx';
import { InstallAgent } from './install-agent.tsx';
import { StartFailure } from './start-failure.tsx';
import { StartScope, type StartPlace } from './start-scope.tsx';
import { TrustStep } from './trust-step.tsx';
import { useStart } from './use-start.ts';
import '../composer.css';
import './start.css';
import './start-box.css';

type StartBoxProps = {
  /** Takes the focus when it appears. */
  readonly isFirst: boolean;
};

/** The form for a new session on the first screen: write, and press Enter. */
export function StartBox({ isFirst }: StartBoxProps): ReactNode {
  const { panels } = useWorkbench();
  // The dialog edits the same draft, so this field is hidden while it is open.
  const isCovered = useCell(panels.front)?.name === 'new-session';
  const empty = (
    <>
      <div className="start-box" aria-busy="true" />
      <StartKeys />
    </>
  );
  if (isCovered) return empty;
  return <StartScope fallback={empty}>{(place) => <BoxFields {...place} isFirst={isFirst} />}</StartScope>;
}

function BoxFields({ session, project, agent, isFirst }: StartPlace & StartBoxProps): ReactNode {
  const { newSessions, panels, startForm } = useWorkbench();
  const directory = useDirectory();
  const start = useStart({ project, agent, isEager: false, onStarted: () => {} });
  const { attachments, trouble } = start;
  const { projectId } = project;
  const isEmpty = start.text.trim() === '' && attachments.images.length === 0;
  const agents = agentsInOrder(directory, projectId).filter((each) => each.available);
  return (
    <>
      <form
        className="start-box"
        onSubmit={(event) => {
          event.preventDefault();
          start.submit();
        }}
      >
        <ComposerInput
          isFirst={isFirst}
          label="First message"
          text={start.text}
          placeholder={`What should ${agent?.name ?? 'the agent'} do in ${project.name}? It asks before edits and commands.`}
          onText={start.write}
          onEnter={start.submit}
          onFiles={(files) => void attachments.add(files)}
          onMention={start.onMention}
        />
        <AttachmentList images={attachments.images} onRemove={attachments.remove} />
        <div className="composer-bar">
          {agent?.capabilities.images && <AttachButton onFiles={(files) => void attachments.add(files)} />}
          <span className="start-pick">
            <Icon name="folder" size={14} />
            <select
              className="picker"
              aria-label="Project"
              value={projectId}
              onChange={(event) => startForm.open(event.target.value)}
            >
              {directory.projects.map((each) => (
                <option key={each.projectId} value={each.projectId} disabled={machineTrouble(each.node) !== ''}>
                  {nameAndMachine(each)}
                </option>
              ))}
            </select>
          </span>
          <span className="start-pick">
            <AgentIcon agent={session.cliType} size={14} />
            <select
              className="picker"
              aria-label="Agent"
              value={session.cliType}
              onChange={(event) => newSessions.move(session.id, { projectId, cliType: event.target.value })}
            >
              {agents.map((each) => (
                <option key={each.cliType} value={each.cliType}>
                  {each.name}
                </option>
              ))}
            </select>
          </span>
          {!start.needsTrust && <Pickers onFailure={start.setFailure} />}
          <Button
            look="quiet"
            className="start-place"
            title="Place and more options"
            onClick={() => panels.open({ name: 'new-session', projectId })}
          >
            <Icon name="branch" size={14} />
            <span className="start-place-name">
              {session.place === undefined ? showHidden(project.branch ?? 'This folder') : 'New worktree'}
            </span>
          </Button>
          <span className="composer-actions">
            {/* Not primary while the message is empty, because the inbox below may have a primary button. */}
            <Button type="submit" look={isEmpty ? 'plain' : 'primary'} disabled={agent === undefined || trouble !== ''}>
              Start session <kbd className="key-hint">Enter</kbd>
            </Button>
          </span>
        </div>
      </form>
      <StartKeys />
      {/* Users without an agent should see here how to get one. */}
      {directory.providers.map((each) => (
        <InstallAgent key={each.cliType} agent={each} />
      ))}
      {trouble !== '' && <p className="field-error">{`Can't start a session: ${trouble}.`}</p>}
      <StartFailure />
      {start.failure !== '' && (
        <p className="field-error" role="alert">
          {start.failure}
        </p>
      )}
      {start.isAsking && agent !== undefined && <TrustStep project={project} agent={agent} start={start} />}
    </>
  );
}

/** What the user can write, and where to find more options. */
const StartKeys = (): ReactNode => (
  <p className="start-keys">
    <KeyPair keys="@" isTyped>
      add a file
    </KeyPair>
    <KeyPair keys="/" isTyped>
      run a command
    </KeyPair>
    <KeyPair keys={keysText({ code: 'KeyK', label: 'K', mod: true })}>search sessions and actions</KeyPair>
  </p>
);
