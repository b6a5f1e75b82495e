import { z } from 'zod';
import { ClusterReply } from '../cluster.ts';
import { FilesQuery, FilesReply, FoldersQuery, FoldersReply } from '../files.ts';
import {
  AddProjectBody,
  CreateSessionReply,
  Done,
  HealthReply,
  ProjectsReply,
  ProvidersReply,
  RotateTokenReply,
  TrustProjectBody,
} from '../http.ts';
import { SignInReply } from '../page-sign-in.ts';
import { CheckpointsReply, Preferences, PreferencesBody, ProjectChoices } from '../preferences.ts';
import { Project } from '../project.ts';
import { InstallStep } from '../provider.ts';
import { EventsQuery, EventsReply } from '../events.ts';
import { SessionExport } from '../session/export.ts';
import { SearchQuery, SearchReply } from '../search.ts';
import { Workspace } from '../workspace.ts';
import type { Route } from './route.ts';

/** `NOT_SUPPORTED`: the folder is on another machine. */
const found = ['PROJECT_NOT_FOUND', 'NOT_SUPPORTED'] as const;

/** The folders a user works in. */
export const projectRoutes = {
  list: {
    method: 'GET',
    path: '/api/projects',
    summary: 'Lists the projects',
    reply: ProjectsReply,
    errors: [],
    machine: 'here',
  },
  add: {
    method: 'POST',
    path: '/api/projects',
    summary: 'Adds a folder as a project',
    body: AddProjectBody,
    status: 201,
    otherStatus: 200,
    reply: Project,
    errors: ['PROJECT_DIR_INVALID'],
    machine: 'here',
  },
  remove: {
    method: 'DELETE',
    path: '/api/projects/:id',
    summary: 'Removes a project; nothing on disk changes',
    status: 204,
    reply: z.null(),
    errors: found,
    machine: 'here',
  },
  trust: {
    method: 'POST',
    path: '/api/projects/:id/trust',
    summary: 'Trusts a folder, or stops trusting it',
    body: TrustProjectBody,
    reply: Project,
    errors: found,
    machine: 'here',
  },
  files: {
    method: 'GET',
    path: '/api/projects/:id/files',
    summary: 'Finds files of a project by a few typed characters',
    query: FilesQuery,
    reply: FilesReply,
    errors: [...found, 'WORKTREE_NOT_FOUND'],
    machine: 'here',
  },
  importSession: {
    method: 'POST',
    path: '/api/projects/:id/import',
    summary: 'Imports a session that was exported as JSON, for reading only',
    body: SessionExport,
    status: 201,
    reply: CreateSessionReply,
    errors: [...found, 'INVALID_REQUEST'],
    machine: 'here',
  },
  choices: {
    method: 'GET',
    path: '/api/projects/:id/choices',
    summary: 'Reads the default options of new sessions in a project',
    reply: ProjectChoices,
    errors: found,
    machine: 'here',
  },
} as const satisfies Record<string, Route>;

/** The workbench: its agents, the page's layout, and the user's settings. */
export const workbenchRoutes = {
  health: {
    method: 'GET',
    path: '/api/health',
    summary: 'Reports that the server is running, and its version',
    reply: HealthReply,
    errors: [],
    machine: 'here',
  },
  providers: {
    method: 'GET',
    path: '/api/providers',
    summary: 'Lists the agents and whether they can start',
    reply: ProvidersReply,
    errors: [],
    machine: 'here',
  },
  installAgent: {
    method: 'POST',
    path: '/api/providers/:id/install',
    summary:
      'Installs Claude Code or Codex into the data directory; each line reports the progress, the last one the outcome',
    reply: InstallStep,
    format: 'lines',
    errors: ['NOT_SUPPORTED'],
    machine: 'here',
  },
  folders: {
    method: 'GET',
    path: '/api/folders',
    summary: 'Lists the subfolders of a folder on this machine',
    query: FoldersQuery,
    reply: FoldersReply,
    errors: ['PROJECT_DIR_INVALID'],
    machine: 'here',
  },
  events: {
    method: 'GET',
    path: '/api/events',
    summary: 'Reads session events since a cursor, or waits for one',
    query: EventsQuery,
    reply: EventsReply,
    errors: [],
    machine: 'here',
  },
  search: {
    method: 'GET',
    path: '/api/search',
    summary: 'Searches the titles and texts of all sessions',
    query: SearchQuery,
    reply: SearchReply,
    errors: [],
    machine: 'here',
  },
  workspace: {
    method: 'GET',
    path: '/api/workspace',
    summary: 'Reads the layout of the page',
    reply: Workspace,
    errors: [],
    machine: 'here',
  },
  saveWorkspace: {
    method: 'PUT',
    path: '/api/workspace',
    summary: 'Saves the layout of the page',
    body: Workspace,
    reply: Done,
    errors: [],
    machine: 'here',
  },
  preferences: {
    method: 'GET',
    path: '/api/preferences',
    summary: 'Reads the settings',
    reply: Preferences,
    errors: [],
    machine: 'here',
  },
  savePreferences: {
    method: 'PUT',
    path: '/api/preferences',
    summary: 'Changes the settings',
    body: PreferencesBody,
    reply: Preferences,
    errors: [],
    machine: 'here',
  },
  checkpoints: {
    method: 'GET',
    path: '/api/checkpoints',
    summary: 'Reports the size of the checkpoints of each repository',
    reply: CheckpointsReply,
    errors: [],
    machine: 'here',
  },
  startDemo: {
    method: 'POST',
    path: '/api/demo',
    summary: 'Starts a session with the demo agent in its scratch project',
    status: 201,
    reply: CreateSessionReply,
    errors: [],
    machine: 'here',
  },
  cluster: {
    method: 'GET',
    path: '/api/cluster',
    summary: 'Lists the machines that share the workbench',
    reply: ClusterReply,
    errors: [],
    machine: 'here',
  },
  signIn: {
    method: 'POST',
    path: '/api/sign-in',
    summary: 'Gives a browser its page secret in exchange for the token or to renew its cookie',
    reply: SignInReply,
    errors: [],
    machine: 'here',
  },
  rotateToken: {
    method: 'POST',
    path: '/api/token/rotate',
    summary: 'Rotates the access token and disconnects everyone else',
    reply: RotateTokenReply,
    errors: ['NOT_SUPPORTED'],
    machine: 'here',
  },
} as const satisfies Record<string, Route>;
