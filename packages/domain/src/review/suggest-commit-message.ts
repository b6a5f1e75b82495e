import type { ChangedFile, ChangeKind } from '@liminal/contracts';

const longestSubject = 72;
const verbs: Record<ChangeKind, string> = {
  added: 'Add',
  modified: 'Update',
  deleted: 'Remove',
  renamed: 'Rename',
  conflicted: 'Update',
  type: 'Update',
};

/** A first draft: the session's title, or the changes to its files if it has no title yet. */
export function suggestCommitMessage(title: string, files: readonly Pick<ChangedFile, 'path' | 'change'>[]): string {
  const words =
    title
      .split('\n')[0]
      ?.trim()
      .replace(/[.\s]+$/, '') ?? '';
  if (words === '' || words === 'New session') return ofFiles(files);
  if (words.length <= longestSubject) return words;
  const cut = words.slice(0, longestSubject - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 40)).trimEnd()}…`;
}

function ofFiles(files: readonly Pick<ChangedFile, 'path' | 'change'>[]): string {
  const [first] = files;
  if (first === undefined) return '';
  const kinds = new Set(files.map(({ change }) => change));
  const verb = kinds.size === 1 ? verbs[first.change] : 'Update';
  return files.length === 1 ? `${verb} ${first.path.split('/').at(-1) ?? ''}` : `${verb} ${files.length} files`;
}
