import type { ReactNode } from 'react';
import type { Project } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { Icon } from '../../../ui/icon.tsx';

/** A place a session can work in. */
export type PlaceChoice = {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly branch: string | undefined;
};

/** The places a project has: so far, its own folder. */
export const placesOf = ({ dir, branch }: Project): readonly PlaceChoice[] => [
  { id: 'folder', name: 'This folder', folder: dir, branch },
];

type PlaceFieldProps = {
  readonly places: readonly PlaceChoice[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
};

/** Where the session works. */
export function PlaceField({ places, chosen, onChoose }: PlaceFieldProps): ReactNode {
  return (
    <fieldset className="start-field">
      <legend className="field-label">Place</legend>
      <div className="places">
        {places.map(({ id, name, folder, branch }) => (
          <label key={id} className="place">
            <input type="radio" name="place" checked={id === chosen} onChange={() => onChoose(id)} />
            <span>{name}</span>
            <code className="place-folder" title={showHidden(folder)}>
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
