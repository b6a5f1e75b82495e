import { useEffect, useRef, useState } from 'react';
import type { Project, ProviderSummary } from '@liminal/contracts';
import type { ApiFailure } from '@liminal/client/call-routes';
import { useDraft } from '../../../state/sessions/use-draft.ts';
import { useSession } from '../../../state/sessions/use-session.ts';
import { mayStart } from '../../../state/sessions/start-form.ts';
import { machineTrouble } from '../../../state/workbench/describe-machine.ts';
import { useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { mentionOf } from '../find-trigger.ts';
import { useAttachments, type Attachments } from '../use-attachments.ts';

export type Start = {
  readonly text: string;
  readonly write: (text: string) => void;
  readonly attachments: Attachments;
  readonly onMention: (path: string) => void;
  readonly failure: string;
  readonly setFailure: (why: string) => void;
  /** Why no session can start in this project, with any agent. */
  readonly trouble: string;
  /** The user has to trust the folder before this agent starts in it. */
  readonly needsTrust: boolean;
  /** The trust question is open. */
  readonly isAsking: boolean;
  readonly back: () => void;
  readonly submit: () => void;
  readonly trustAndSubmit: () => Promise<void>;
};

/** Why it doesn't start yet: the message would go without a file that the user has already added. */
export const waitForFile = 'Wait until the file is attached.';

type UseStart = {
  readonly project: Project;
  readonly agent: ProviderSummary | undefined;
  /** Prepares the agent at once, not only after the first letter. */
  readonly isEager: boolean;
  readonly onStarted: () => void;
};

/** The state of the form for a new session, and its submission. */
export function useStart({ project, agent, isEager, onStarted }: UseStart): Start {
  const { sessionId } = useSession().store;
  const { directory, drafts, newSessions, startForm } = useWorkbench();
  const text = useDraft(sessionId);
  const [failure, setFailure] = useState('');
  const [isAsking, setAsking] = useState(false);
  const mentions = useRef(new Set<string>());
  const trouble = machineTrouble(project.node);
  const needsTrust = agent !== undefined && !mayStart(agent, project);
  const canPrepare = agent !== undefined && trouble === '' && !needsTrust;
  const { projectId } = project;
  const cliType = agent?.cliType;

  // Its process starts while the user is still writing, and again when they choose another.
  const isWanted = canPrepare && (isEager || text !== '');
  useEffect(() => {
    if (isWanted) newSessions.keepPrepared(sessionId);
  }, [newSessions, sessionId, isWanted, cliType, projectId]);

  const write = (next: string): void => {
    drafts.write(sessionId, next);
    if (canPrepare) newSessions.keepPrepared(sessionId);
  };
  const attachments = useAttachments(agent?.capabilities.images ?? false, setFailure, (named) => {
    write([drafts.read(sessionId), named].filter((part) => part.trim() !== '').join('\n'));
  });
  const begin = (): void => {
    const content = text.trim();
    const named = [...mentions.current].filter((path) => content.includes(mentionOf(path)));
    const { images } = attachments;
    onStarted();
    startForm.start(content, { ...(images.length > 0 && { images }), ...(named.length > 0 && { mentions: named }) });
  };
  const submit = (): void => {
    if (agent === undefined || trouble !== '') return;
    if (drafts.isAttaching(sessionId)) return setFailure(waitForFile);
    if (needsTrust) setAsking(true);
    else begin();
  };
  const trustAndSubmit = async (): Promise<void> => {
    const refusal: ApiFailure | null = await directory.trustProject(projectId, true);
    if (refusal === null) return begin();
    setAsking(false);
    return setFailure(refusal.message);
  };
  return {
    text,
    write,
    attachments,
    onMention: (path) => mentions.current.add(path),
    failure,
    setFailure,
    trouble,
    needsTrust,
    isAsking,
    back: () => setAsking(false),
    submit,
    trustAndSubmit,
  };
}
