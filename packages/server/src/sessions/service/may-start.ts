import { fail, ok, type Project, type Result } from '@liminal/contracts';
import type { CliProvider } from '../../providers/provider.ts';

/** Whether an agent may start in this folder: one that obeys a folder's own configuration only where it is trusted. */
export function mayStartIn(provider: CliProvider, project: Result<Project>): Result<null> {
  if (provider.capabilities.untrustedFolders) return ok(null);
  if (!project.ok) return project;
  const { trusted, name } = project.value;
  if (trusted) return ok(null);
  const sentence = `${provider.name} reads the folder's own configuration. Trust "${name}" first, then try again.`;
  return fail('PROJECT_NOT_TRUSTED', sentence);
}
