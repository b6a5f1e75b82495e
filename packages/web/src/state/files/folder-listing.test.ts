import { expect, it } from 'vitest';
import type { TreeEntry } from '@liminal/contracts';
import { folderListing } from './folder-listing.ts';

const file = (path: string, part: Partial<TreeEntry> = {}): TreeEntry => ({
  path,
  name: path.slice(path.lastIndexOf('/') + 1),
  kind: 'file',
  ...part,
});
const folder = (path: string, part: Partial<TreeEntry> = {}): TreeEntry => file(path, { kind: 'folder', ...part });
const deps = (folders: Record<string, readonly TreeEntry[]>) => ({
  projectId: 'p',
  api: {
    tree: async (_: string, { path = '' }: { path?: string | undefined } = {}) => ({
      ok: true as const,
      value: { entries: [...(folders[path] ?? [])], truncated: false },
    }),
  },
});

it('FL-4: lists a folder and its subfolders, without ignored files', async () => {
  const tree = deps({
    src: [folder('src/lib'), file('src/app.ts'), folder('src/dist', { ignored: true })],
    'src/lib': [file('src/lib/limit.ts')],
    'src/dist': [file('src/dist/app.js')],
  });
  expect(await folderListing(tree, 'src')).toBe('lib/\n  limit.ts\napp.ts');
});

it('FL-4: shows where it was cut off', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => file(`f${index}`));
  const lines = (await folderListing(deps({ '': many }), '')).split('\n');
  expect(lines).toHaveLength(401);
  expect(lines.at(-1)).toBe('…');
});
