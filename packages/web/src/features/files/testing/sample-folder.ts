import type { ApiResult } from '@liminal/client/call-routes';
import type { FileReply, TreeEntry, TreeQuery, TreeReply } from '@liminal/contracts';
import { failed } from '../../../testing/fake-api.ts';
import type { TestPage } from '../../../testing/test-page.ts';

/** The names in each folder, by path, or the failure to read it. Names of folders end with `/`. */
type SampleFolders = Record<string, readonly string[] | ApiResult<never>>;

const entryOf = (folder: string, name: string): TreeEntry => {
  const bare = name.replace(/\/$/, '');
  return { name: bare, path: folder === '' ? bare : `${folder}/${bare}`, kind: bare === name ? 'file' : 'folder' };
};

/** Sets how the server answers when a folder is read. Folders not listed don't exist. */
export const answerFolders = (page: TestPage, folders: SampleFolders): void =>
  page.answer('file.tree', (_project: string, { path = '' }: TreeQuery): ApiResult<TreeReply> => {
    const held = folders[path] ?? failed(`This project has no folder "${path}".`, 'FILE_NOT_FOUND');
    if ('ok' in held) return held;
    return { ok: true, value: { entries: held.map((name) => entryOf(path, name)), truncated: false } };
  });

/** A file as the server sends it. */
export const fileReply = (part: Partial<FileReply> = {}): FileReply => ({
  path: 'notes.txt',
  content: 'first line\n',
  eol: 'lf',
  bom: false,
  size: 11,
  binary: false,
  readOnly: false,
  etag: 'e1',
  ...part,
});
