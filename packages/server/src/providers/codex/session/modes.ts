import { isDeepStrictEqual } from 'node:util';
import type { Choice } from '@liminal/contracts';
import type { Loose } from '../../kit/read-json.ts';

/** What Codex may do by itself and whom it asks for more, as one choice. */
export type CodexMode = Choice & {
  readonly approvalPolicy: 'on-request' | 'never';
  readonly approvalsReviewer: 'user' | 'auto_review';
  /** The sandbox a thread starts with. */
  readonly sandbox: 'read-only' | 'workspace-write' | 'danger-full-access';
};

/** The same ids as the adapter uses for the same rights: a session keeps its mode whichever way it is opened. */
export const codexModes: readonly CodexMode[] = [
  {
    id: 'read-only',
    name: 'Read-only',
    description: 'Requires approval to edit files and access the internet.',
    approvalPolicy: 'on-request',
    approvalsReviewer: 'user',
    sandbox: 'read-only',
  },
  {
    id: 'workspace-write',
    name: 'Workspace access',
    description: 'Edit workspace files; ask before writing outside the workspace or accessing the network.',
    approvalPolicy: 'on-request',
    approvalsReviewer: 'user',
    sandbox: 'workspace-write',
  },
  {
    id: 'agent',
    name: 'Auto review',
    description: 'Only ask for actions detected as potentially unsafe',
    approvalPolicy: 'on-request',
    approvalsReviewer: 'auto_review',
    sandbox: 'workspace-write',
  },
  {
    id: 'agent-full-access',
    name: 'Full access',
    description: 'Unrestricted access to the internet and any file on your computer',
    approvalPolicy: 'never',
    approvalsReviewer: 'user',
    sandbox: 'danger-full-access',
  },
];

export const findMode = (modeId: string | undefined): CodexMode | undefined =>
  codexModes.find(({ id }) => id === modeId);

export const modeChoices = (): Choice[] =>
  codexModes.map(({ id, name, description }) => ({ id, name, ...(description !== undefined && { description }) }));

/** The rights of a mode, for opening a thread. */
export const threadRights = ({ approvalPolicy, approvalsReviewer, sandbox }: CodexMode): object => ({
  approvalPolicy,
  approvalsReviewer,
  sandbox,
});

/** The same for an open thread: sent with messages, so no turn ever runs with other rights. */
export const turnRights = ({ approvalPolicy, approvalsReviewer, sandbox }: CodexMode): object => ({
  approvalPolicy,
  approvalsReviewer,
  sandboxPolicy: sandboxPolicies[sandbox],
});

/** Whether Codex reports that it opened a thread with exactly these rights. */
export const isInForce = (mode: CodexMode, { approvalPolicy, approvalsReviewer, sandbox }: Loose): boolean =>
  isDeepStrictEqual({ approvalPolicy, approvalsReviewer, sandboxPolicy: sandbox }, turnRights(mode));

const sandboxPolicies: Readonly<Record<CodexMode['sandbox'], object>> = {
  'read-only': { type: 'readOnly', networkAccess: false },
  'workspace-write': {
    type: 'workspaceWrite',
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false,
  },
  'danger-full-access': { type: 'dangerFullAccess' },
};
