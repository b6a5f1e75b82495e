import { ok, ProjectSettings, type ProjectSettingsBody, type Result } from '@liminal/contracts';
import type { Store } from '../store/store.ts';

export type ProjectSettingsService = ReturnType<typeof createProjectSettings>;

const keyOf = (projectId: string): string => `project:${projectId}`;

const usual: ProjectSettings = {
  setupCommand: '',
  checkCommand: '',
  worktreeFolder: '',
  defaultPlace: 'folder',
  commands: [],
};

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** A user's settings for one project: their commands, and the folder for worktrees. A repository can't set them. */
export function createProjectSettings(store: Pick<Store, 'setting' | 'write'>) {
  const get = (projectId: string): ProjectSettings => {
    const stored = ProjectSettings.safeParse({ ...usual, ...asObject(store.setting(keyOf(projectId))) });
    return stored.success ? stored.data : usual;
  };
  let changing: Promise<unknown> = Promise.resolve();
  return {
    get,
    /** Changes some of the settings. One change after another, so none undoes the one before it. */
    set(projectId: string, change: ProjectSettingsBody): Promise<Result<ProjectSettings>> {
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const changed = changing.then(async () => {
        const value = { ...get(projectId), ...given };
        await store.write([{ type: 'put-setting', key: keyOf(projectId), value }]);
        return ok(value);
      });
      changing = changed.catch(() => {});
      return changed;
    },
  };
}
