import type { ReactNode } from 'react';
import type { Project } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { hasWorktrees } from '../../../state/sessions/start-form.ts';
import { Icon } from '../../../ui/icon.tsx';
import './place-field.css';

/** A place a session can work in. */
export type OfferedPlace = {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly branch: string | undefined;
};

/** The places of a project: its own folder, and a new worktree if it is a trusted repository. */
export const placesOf = (project: Project): readonly OfferedPlace[] => [
  { id: 'folder', name: 'This folder', folder: project.dir, branch: project.branch },
  ...(hasWorktrees(project)
    ? [
        {
          id: 'worktree',
          name: 'New worktree',
          folder: `from ${project.branch ?? ''}, on its own branch`,
          branch: undefined,
        },
      ]
    : []),
];

type PlaceFieldProps = {
  readonly places: readonly OfferedPlace[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
};

/** Where the session works. If there is only one place, it is shown as text. */
export function PlaceField({ places, chosen, onChoose }: PlaceFieldProps): ReactNode {
  return (
    <fieldset className="start-field">
      <legend className="field-label">Place</legend>
      <div className="places">
        {places.map(({ id, name, folder, branch }) => (
          <label key={id} className="place">
            {places.length > 1 && (
              <input
                type="radio"
                name="place"
                aria-label={name}
                aria-describedby={`place-${id}`}
                checked={id === chosen}
                onChange={() => onChoose(id)}
              />
            )}
            <span>{name}</span>
            <code className="place-folder" id={`place-${id}`} title={showHidden(folder)}>
              {showHidden(folder)}
            </code>
            {branch !== undefined && (
              <span className="place-branch">
                <Icon name="branch" size={12} />
                <span className="place-branch-name">{showHidden(branch)}</span>
              </span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
