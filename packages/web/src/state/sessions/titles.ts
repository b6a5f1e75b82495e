import type { Project } from '@liminal/contracts';
import { showControls } from '@liminal/domain/text/visible-text';

type Titled = { readonly title: string; readonly projectId?: string };

/** A session's title on one line; one without messages is new. */
export const titleOf = (session: Titled | undefined): string => {
  const title = session?.title.replace(/\s+/g, ' ').trim() ?? '';
  return title === '' ? 'New session' : showControls(title);
};

export const longestTitle = 300;

/** What the user entered as a title, on one line; null if that changes nothing. */
export function enteredTitle(text: string, before: string): string | null {
  const next = text.replace(/\s+/g, ' ').trim();
  return next !== '' && next !== before ? next : null;
}

/** A title, with a distinguishing suffix if others look the same. */
export type DistinctTitle = { readonly title: string; readonly mark: string };

/** Adds the project's name to repeated titles if that distinguishes them; otherwise a number. */
export function distinctTitles(
  sessions: ReadonlyArray<Titled | undefined>,
  projects: readonly Project[],
): DistinctTitle[] {
  const nameOf = new Map(projects.map((project) => [project.projectId, project.name]));
  return sessions.map((session, index) => {
    const title = titleOf(session);
    const same = sessions.flatMap((other, place) => (titleOf(other) === title ? [place] : []));
    if (same.length < 2) return { title, mark: '' };
    const inProject = same.filter((place) => sessions[place]?.projectId === session?.projectId);
    const name = inProject.length < same.length ? (nameOf.get(session?.projectId ?? '') ?? '') : '';
    const number = inProject.length > 1 ? String(inProject.indexOf(index) + 1) : '';
    return { title, mark: [name, number].filter((part) => part !== '').join(' ') };
  });
}
