import { useEffect, useState, type ReactNode } from 'react';
import type { ComparedFile, Comparison } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { EmptyList, LoadingRows } from '../../ui/list-state.tsx';

type CompareFilesProps = { readonly comparison: Comparison; readonly names: ReadonlyMap<string, string> };

/** All files that any candidate changed; an expanded one shows each candidate's version side by side. */
export function CompareFiles({ comparison, names }: CompareFilesProps): ReactNode {
  const [opened, setOpened] = useState<string | null>(null);
  const { files, candidates } = comparison;
  if (files.length === 0)
    return <EmptyList title="No files changed yet">Files appear here as soon as a candidate changes one.</EmptyList>;
  return (
    <section className="compare-files" aria-label="Files">
      <h2>Files</h2>
      <ul>
        {files.map((file) => {
          const isOpen = file.path === opened;
          return (
            <li key={file.path}>
              <button
                type="button"
                className="compare-file"
                aria-expanded={isOpen}
                onClick={() => setOpened(isOpen ? null : file.path)}
              >
                <code>{showHidden(file.path)}</code>
                <span className="muted">{inWhich(file, candidates.length)}</span>
              </button>
              {isOpen && <SideBySide file={file} comparison={comparison} names={names} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function inWhich({ candidates }: ComparedFile, all: number): string {
  const versions = new Set(candidates.map(({ contentId, change }) => contentId ?? change)).size;
  const many = candidates.length === all ? 'all' : `${candidates.length} of ${all}`;
  return versions === 1 && candidates.length > 1 ? `${many}, the same` : many;
}

type SideBySideProps = CompareFilesProps & { readonly file: ComparedFile };

function SideBySide({ file, comparison, names }: SideBySideProps): ReactNode {
  return (
    <div className="compare-sides">
      {comparison.candidates.map(({ candidateId, sessionId, state }) => {
        const name = names.get(candidateId) ?? '';
        const changed = file.candidates.find((each) => each.candidateId === candidateId);
        return (
          <section key={candidateId} className="compare-side" aria-label={`${file.path}: ${name}`} tabIndex={0}>
            <h3>{name}</h3>
            {changed === undefined ? (
              <p className="muted">Not changed.</p>
            ) : state === 'parked' || sessionId === undefined ? (
              <p className="muted">Parked. Restore its worktree to see the lines.</p>
            ) : (
              <Lines sessionId={sessionId} base={comparison.baseCommit} path={file.path} version={changed.contentId} />
            )}
          </section>
        );
      })}
    </div>
  );
}

type LinesProps = {
  readonly sessionId: string;
  readonly base: string;
  readonly path: string;
  /** A change of this value reloads the lines. */
  readonly version: string | null;
};

function Lines({ sessionId, base, path, version }: LinesProps): ReactNode {
  const { api } = useWorkbench();
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    void api.session.changedFile(sessionId, { scope: 'base', base, path }).then((reply) => {
      if (!isWanted) return;
      if (!reply.ok) setText(reply.failure.message);
      else if (reply.value.binary) setText('Binary file.');
      else setText(reply.value.patch ?? 'Too long to show here. Open its session to review it.');
    });
    return () => {
      isWanted = false;
    };
  }, [api, sessionId, base, path, version]);
  if (text === null) return <LoadingRows label="Loading lines…" />;
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  return (
    <pre className="compare-patch">
      {lines.slice(Math.max(0, first)).map((line, place) => (
        <span key={place} className={lookOf(line)}>{`${line}\n`}</span>
      ))}
    </pre>
  );
}

const lookOf = (line: string): string =>
  line.startsWith('+') ? 'compare-added' : line.startsWith('-') ? 'compare-removed' : '';
