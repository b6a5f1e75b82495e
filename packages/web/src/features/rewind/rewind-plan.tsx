import type { ReactNode } from 'react';
import type { LineCounts, RewindPlanReply } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { ChangeCounts } from '../../ui/change-counts.tsx';
import { plural } from '../../ui/format.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';

type RewindPlanProps = {
  readonly plan: RewindPlanReply;
  /** Files the user wants to restore although the plan leaves them. */
  readonly also: ReadonlySet<string>;
  readonly toggle: (path: string) => void;
};

const notes = { added: 'recreated', modified: '', deleted: 'removed' } as const;

/** What a rewind would do to each file, with the lines it adds and removes. */
export function RewindPlan({ plan, also, toggle }: RewindPlanProps): ReactNode {
  const { counts } = plan;
  const sure = plan.restore.filter(({ selected }) => selected);
  const unsure = [
    ...plan.restore
      .filter(({ selected }) => !selected)
      .map(({ path }) => ({ path, reason: 'not mentioned in this session', isConflict: false })),
    ...plan.foreign.map((file) => ({ ...file, isConflict: true })),
  ];
  return (
    <>
      {sure.length > 0 && (
        <section>
          <h3>{`Restore ${plural(sure.length, 'file')}`}</h3>
          <ul className="rewind-files">
            {sure.map(({ path, change }) => (
              <FileLine key={path} icon="rewind" path={path} note={notes[change]} counts={counts[path]} />
            ))}
          </ul>
        </section>
      )}
      {plan.merge.length + unsure.length > 0 && (
        <section>
          <h3>
            Also changed by you or another session{' '}
            {unsure.length > 0 && <span className="rewind-hint">kept unless selected</span>}
          </h3>
          <ul className="rewind-files">
            {plan.merge.map((path) => (
              <FileLine
                key={path}
                icon="branch"
                path={path}
                note="other changes stay"
                counts={counts[path]}
                mark="merged"
              />
            ))}
            {unsure.map(({ path, reason, isConflict }) => (
              <FileLine
                key={path}
                path={path}
                note={reason}
                counts={counts[path]}
                {...(isConflict && { mark: 'conflict' })}
                isChosen={also.has(path)}
                onChoose={() => toggle(path)}
              />
            ))}
          </ul>
        </section>
      )}
      {plan.lost.length > 0 && (
        <section>
          <h3>Can't be undone</h3>
          <ul className="rewind-lost">
            {plan.lost.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
      {sure.length + plan.merge.length + unsure.length === 0 && <p>No file changes.</p>}
    </>
  );
}

type FileLineProps = {
  readonly path: string;
  readonly note: string;
  readonly counts: LineCounts | undefined;
  readonly icon?: IconName;
  readonly mark?: string;
  readonly isChosen?: boolean;
  /** Whether it can be selected. */
  readonly onChoose?: () => void;
};

function FileLine({ path, note, counts, icon, mark, isChosen = false, onChoose }: FileLineProps): ReactNode {
  const shown = showHidden(path);
  return (
    <li className="rewind-file">
      {icon !== undefined && <Icon name={icon} size={16} />}
      {onChoose !== undefined && (
        <input type="checkbox" aria-label={`Restore ${shown}`} checked={isChosen} onChange={onChoose} />
      )}
      <code title={shown}>{shown}</code>
      {note !== '' && <span className="rewind-note">{note}</span>}
      <ChangeCounts counts={counts} />
      {mark !== undefined && <span className={`rewind-mark rewind-mark-${mark}`}>{mark}</span>}
    </li>
  );
}
