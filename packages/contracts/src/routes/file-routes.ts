import { Done } from '../http.ts';
import {
  FileAtQuery,
  FileQuery,
  FileReply,
  GrepBody,
  GrepLine,
  MoveFileBody,
  RemoveFileReply,
  SaveFileBody,
  SaveFileHeaders,
  SaveFileReply,
  TreeQuery,
  TreeReply,
  UndoFileBody,
} from '../project-file.ts';
import type { Route } from './route.ts';

const place = [
  'PROJECT_NOT_FOUND',
  'PROJECT_DIR_INVALID',
  'WORKTREE_NOT_FOUND',
  'PATH_REFUSED',
  'NOT_SUPPORTED',
] as const;
const found = [...place, 'FILE_NOT_FOUND'] as const;

/** The files of a project. They never cross to another machine. */
export const fileRoutes = {
  tree: {
    method: 'GET',
    path: '/api/projects/:id/tree',
    summary: 'Lists one folder of a project',
    query: TreeQuery,
    reply: TreeReply,
    errors: found,
    machine: 'here',
  },
  read: {
    method: 'GET',
    path: '/api/projects/:id/file',
    summary: 'Reads a file, or a part of a large one',
    query: FileQuery,
    reply: FileReply,
    errors: found,
    machine: 'here',
  },
  save: {
    method: 'PUT',
    path: '/api/projects/:id/file',
    summary: 'Saves a file if it is still what was read (If-Match), or makes a new one (If-None-Match: *)',
    query: FileAtQuery,
    headers: SaveFileHeaders,
    body: SaveFileBody,
    reply: SaveFileReply,
    errors: [...found, 'FILE_CHANGED'],
    machine: 'here',
  },
  remove: {
    method: 'DELETE',
    path: '/api/projects/:id/file',
    summary: 'Deletes a file or folder; it can be brought back',
    query: FileAtQuery,
    reply: RemoveFileReply,
    errors: found,
    machine: 'here',
  },
  restore: {
    method: 'POST',
    path: '/api/projects/:id/file/undo',
    summary: 'Brings back what was deleted',
    body: UndoFileBody,
    reply: Done,
    errors: [...found, 'FILE_CHANGED'],
    machine: 'here',
  },
  move: {
    method: 'POST',
    path: '/api/projects/:id/file/move',
    summary: 'Renames or moves a file or folder; nothing is overwritten',
    body: MoveFileBody,
    reply: Done,
    errors: [...found, 'FILE_CHANGED'],
    machine: 'here',
  },
  grep: {
    method: 'POST',
    path: '/api/projects/:id/grep',
    summary: 'Searches in the files of a project; closing the request cancels',
    body: GrepBody,
    reply: GrepLine,
    format: 'lines',
    errors: found,
    machine: 'here',
  },
} as const satisfies Record<string, Route>;
