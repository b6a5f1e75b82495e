import { ok, type Result } from '@liminal/contracts';
import { createAttachmentFolder } from '../files/contents/attachments.ts';
import { createFileDrafts } from '../files/contents/file-drafts.ts';
import { createGrep } from '../files/contents/grep-folder.ts';
import { createProjectContents, type ProjectContents } from '../files/contents/project-contents.ts';
import { createTrash } from '../files/contents/trash.ts';
import type { Git } from '../git/git.ts';
import type { Logger } from '../observe/logger.ts';
import type { ProjectService } from '../projects/project-service.ts';

type ContentsParts = {
  readonly projects: Pick<ProjectService, 'get'>;
  readonly worktreeFolder: (projectId: string, worktreeId: string) => Result<string>;
  readonly git: Git;
  readonly trashFolder: string;
  readonly draftFolder: string;
  readonly attachmentFolder: string;
  readonly now: () => string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
};

/** The files of this machine's projects, for the page and for programs. */
export const createContents = ({
  projects,
  worktreeFolder,
  git,
  trashFolder,
  draftFolder,
  attachmentFolder,
  now,
  env,
  log,
}: ContentsParts): ProjectContents =>
  createProjectContents({
    async folderOf(projectId, worktreeId) {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      const worktree = worktreeId === undefined ? ok(project.value.dir) : worktreeFolder(projectId, worktreeId);
      return worktree.ok ? ok({ dir: worktree.value, trusted: project.value.trusted }) : worktree;
    },
    git,
    trash: createTrash({
      folder: trashFolder,
      now: Date.now,
      onDropFailed: (error) => log.warn({ err: error }, "couldn't drop an old item of the trash"),
    }),
    drafts: createFileDrafts({ folder: draftFolder, now }),
    attachments: createAttachmentFolder({ folder: attachmentFolder, now: Date.now }),
    grep: createGrep(env['PATH'] ?? ''),
  });
