import type { AppDeps } from '../build-app.ts';
import type { Handlers } from './handlers.ts';

export function compareHandlers({ compares, projects }: AppDeps): Handlers['compare'] {
  return {
    async create(body) {
      const project = projects.get(body.projectId);
      return project.ok ? compares.create(body) : project;
    },
    list: (query) => compares.list(query),
    read: (compareId) => compares.read(compareId),
    retry: (compareId, body) => compares.retry(compareId, body),
    check: (compareId, body) => compares.check(compareId, body),
    keep: (compareId, body) => compares.keep(compareId, body),
    undoKeep: (compareId) => compares.undoKeep(compareId),
  };
}
