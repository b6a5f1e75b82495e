import { useState, type ReactNode } from 'react';
import { Diffs } from '../../rendering/diff/diffs.tsx';
import { shortPath } from '../../rendering/short-path.ts';
import { useSession } from '../../state/sessions/use-session.ts';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import type { ChangedFile } from './changed-files.ts';
import { showHidden } from '@liminal/domain/text/visible-text';

/** Every file the session changed; a click shows its changes, in the order they were made. */
export function Changes({ files }: { readonly files: readonly ChangedFile[] }): ReactNode {
  const [open, setOpen] = useState<string | null>(files.length === 1 ? (files[0]?.path ?? null) : null);
  if (files.length === 0) return <p className="inspector-note">No changes yet</p>;
  const added = files.reduce((total, file) => total + file.added, 0);
  const removed = files.reduce((total, file) => total + file.removed, 0);
  return (
    <>
      <p className="inspector-note">
        {`${plural(files.length, 'file')} changed `}
        <span className="diff-added">+{added}</span> <span className="diff-removed">−{removed}</span>
      </p>
      <ul className="inspector-list">
        {files.map((file) => (
          <File
            key={file.path}
            file={file}
            isOpen={open === file.path}
            onTurn={(next) => setOpen(next ? file.path : null)}
          />
        ))}
      </ul>
    </>
  );
}

type FileProps = { readonly file: ChangedFile; readonly isOpen: boolean; readonly onTurn: (open: boolean) => void };

function File({ file, isOpen, onTurn }: FileProps): ReactNode {
  const { projectDir } = useSession();
  return (
    <li>
      <button
        type="button"
        className="inspector-file"
        aria-expanded={isOpen}
        title={showHidden(file.path)}
        onClick={() => onTurn(!isOpen)}
      >
        <span className={isOpen ? 'inspector-chevron inspector-chevron-open' : 'inspector-chevron'}>
          <Icon name="chevron" size={12} />
        </span>
        {/* The end of a path tells files apart, so the beginning is what is cut. */}
        <span className="inspector-path">
          <bdi>{showHidden(shortPath(file.path, projectDir))}</bdi>
        </span>
        <span className="diff-added">+{file.added}</span>
        <span className="diff-removed">−{file.removed}</span>
      </button>
      {isOpen && file.edits.map((diffs, index) => <Diffs key={index} diffs={diffs} projectDir={projectDir} />)}
    </li>
  );
}
