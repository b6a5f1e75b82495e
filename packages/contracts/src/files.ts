import { z } from 'zod';

export const FilesQuery = z.object({
  q: z.string().max(1000).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
  /** Looks in a worktree of the project instead of its own folder. */
  worktreeId: z.string().min(1).optional(),
});

/** A file or folder of a project that fits what was typed. */
export const FileMatch = z.object({
  /** Relative to the project, with `/`; never outside of it. */
  path: z.string(),
  kind: z.enum(['file', 'folder']),
  /** Where the typed characters are in `path`, in UTF-16 units. */
  matches: z.array(z.int().nonnegative()),
});
export type FileMatch = z.infer<typeof FileMatch>;

export const FilesReply = z.object({
  /** Best first. */
  files: z.array(FileMatch),
  /** How many files the project has, as far as they were listed. */
  total: z.int().nonnegative(),
  /** The project has more files than are looked at. */
  truncated: z.boolean(),
});
export type FilesReply = z.infer<typeof FilesReply>;

export const ImageQuery = z.object({
  /** Relative to the session's folder, or a whole path inside it. */
  path: z.string().min(1).max(4096),
});
export type ImageQuery = z.infer<typeof ImageQuery>;

/** A picture of the project. Over HTTP it's the bytes themselves, under this type. */
export const ImageFile = z.object({
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  /** Base64. */
  data: z.string(),
});
export type ImageFile = z.infer<typeof ImageFile>;

export const FoldersQuery = z.object({
  /** A whole path, or one that begins with `~`; the home folder when it is left out. */
  path: z.string().max(4096).optional(),
  /** Only folders whose name begins with this, in any case. */
  prefix: z.string().max(255).optional(),
});

export const FoldersReply = z.object({
  /** The folder that is listed, under its real path. */
  path: z.string(),
  parent: z.string().nullable(),
  home: z.string(),
  /** Names of the folders in it; hidden ones last. */
  folders: z.array(z.object({ name: z.string(), hidden: z.boolean() })),
  /** It has more than are listed. */
  truncated: z.boolean(),
  /** Folders that were added lately and are still there, newest first. */
  recent: z.array(z.string()),
});
export type FoldersReply = z.infer<typeof FoldersReply>;
