import { useState } from 'react';
import type { Project } from '@liminal/contracts';
import { agentsInOrder } from '../../../state/workbench/directory-store.ts';
import { useDirectory, useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { likelyCandidates, type ChosenCandidate } from './candidate-fields.tsx';
import { waitForFile, type Start } from './use-start.ts';

export type ComparisonStart = {
  /** Null for a single agent. */
  readonly candidates: readonly ChosenCandidate[] | null;
  readonly choose: (candidates: readonly ChosenCandidate[]) => void;
  readonly toggle: () => void;
  readonly isStarting: boolean;
  /** The branch all candidates start from; empty for the current one. */
  readonly base: string;
  readonly setBase: (base: string) => void;
  /** The base has agent settings that the user hasn't trusted: the next start trusts them. */
  readonly asksTrust: boolean;
  readonly submit: () => Promise<void>;
};

type UseComparison = {
  readonly sessionId: string;
  readonly project: Project;
  readonly cliType: string;
  readonly start: Start;
  readonly onStarted: () => void;
};

/** The form for a new session with several agents on the same task. */
export function useComparison({ sessionId, project, cliType, start, onStarted }: UseComparison): ComparisonStart {
  const { api, comparing, drafts } = useWorkbench();
  const directory = useDirectory();
  const [candidates, choose] = useState<readonly ChosenCandidate[] | null>(null);
  const [isStarting, setStarting] = useState(false);
  const [base, setBase] = useState('');
  const [untrusted, setUntrusted] = useState<string | null>(null);
  const asksTrust = untrusted === base;
  const { projectId } = project;
  return {
    base,
    setBase,
    asksTrust,
    candidates,
    choose,
    isStarting,
    toggle() {
      const available = agentsInOrder(directory, projectId).filter((each) => each.available);
      choose(
        candidates === null
          ? likelyCandidates(
              cliType,
              available.map((each) => each.cliType),
            )
          : null,
      );
    },
    async submit() {
      const content = start.text.trim();
      if (candidates === null || isStarting) return;
      if (drafts.isAttaching(sessionId)) return start.setFailure(waitForFile);
      if (content === '') return start.setFailure('Write what the candidates should do.');
      setStarting(true);
      const { images } = start.attachments;
      const body = {
        projectId,
        content,
        candidates: [...candidates],
        ...(base.trim() !== '' && { base: base.trim() }),
        ...(asksTrust && { trustConfiguration: true }),
        ...(images.length > 0 && { images: [...images] }),
      };
      const reply = await api.compare.create(body);
      setStarting(false);
      if (!reply.ok) {
        const { code, message, details } = reply.failure;
        if (code === 'PROJECT_NOT_TRUSTED' && details?.['files'] !== undefined) setUntrusted(base);
        return start.setFailure(message);
      }
      start.write('');
      drafts.keepImages(sessionId, []);
      onStarted();
      comparing.open(reply.value.compareId);
    },
  };
}
