import { z } from 'zod';

export const FilesQuery = z.object({
  q: z.string().max(1000).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
  /** Looks in a worktree of the project instead of its main folder. */
  worktreeId: z.string().min(1).optional(),
});

/** A file or folder of a project that matches the input. */
export const FileMatch = z.object({
  /** Relative to the project, with `/`; never outside the project. */
  path: z.string(),
  kind: z.enum(['file', 'folder']),
  /** Indices of the matched characters in `path`, in UTF-16 units. */
  matches: z.array(z.int().nonnegative()),
});
export type FileMatch = z.infer<typeof FileMatch>;

export const FilesReply = z.object({
  /** Best first. */
  files: z.array(FileMatch),
  /** How many of the project's files were listed. */
  total: z.int().nonnegative(),
  /** The project has more files than were listed. */
  truncated: z.boolean(),
});
export type FilesReply = z.infer<typeof FilesReply>;

export const ImageQuery = z.object({
  /** Relative to the session's folder, or an absolute path inside it. */
  path: z.string().min(1).max(4096),
});
export type ImageQuery = z.infer<typeof ImageQuery>;

/** An image in the project. Over HTTP the body is the bytes themselves, with this content type. */
export const ImageFile = z.object({
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  /** Base64. */
  data: z.string(),
});
export type ImageFile = z.infer<typeof ImageFile>;

export const FoldersQuery = z.object({
  /** An absolute path, or one that starts with `~`; the home folder by default. */
  path: z.string().max(4096).optional(),
  /** Only folders whose names start with this, ignoring case. */
  prefix: z.string().max(255).optional(),
});

export const FoldersReply = z.object({
  /** The real path of the listed folder. */
  path: z.string(),
  parent: z.string().nullable(),
  home: z.string(),
  /** Names of its subfolders; hidden ones last. */
  folders: z.array(z.object({ name: z.string(), hidden: z.boolean() })),
  /** The folder has more subfolders than are listed. */
  truncated: z.boolean(),
  /** Recently added folders that still exist, newest first. */
  recent: z.array(z.string()),
});
export type FoldersReply = z.infer<typeof FoldersReply>;
