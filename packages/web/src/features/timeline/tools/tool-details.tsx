import type { ReactNode } from 'react';
import type { FileDiff, ToolCallUpsert, ToolKind } from '@liminal/contracts';
import { Diffs } from '../../../rendering/diff/diffs.tsx';
import { LongText } from '../../../rendering/long-text.tsx';
import { Anchor } from '../../../rendering/markdown-elements.tsx';
import { Markdown } from '../../../rendering/markdown.tsx';
import { shortPath } from '../../../ui/folders/folder-path.ts';
import { showControls, showHidden } from '@liminal/domain/text/visible-text';
import { useSession } from '../../../state/sessions/use-session.ts';
import { useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { commandOf } from './describe-tool.ts';
import { ToolOutput } from './tool-output.tsx';

const noDiffs: readonly FileDiff[] = [];

type ToolDetailsProps = {
  readonly call: ToolCallUpsert;
  readonly kind: ToolKind;
  readonly isAgent: boolean;
  /** The rows of a subagent. */
  readonly children: ReactNode;
};

/** All details of a call: its arguments, changes and output. */
export function ToolDetails({ call, kind, isAgent, children }: ToolDetailsProps): ReactNode {
  const { projectDir } = useSession();
  if (call.questions !== undefined && call.questions.length > 0) return <Questions call={call} />;
  return (
    <>
      <Given call={call} kind={kind} isAgent={isAgent} />
      {children}
      <Diffs
        diffs={call.diffs ?? noDiffs}
        projectDir={projectDir}
        isNamed={isPathInLine(kind)}
        canWiden
        links={
          <>
            <OpenFile call={call} />
            <ShowInReview call={call} />
          </>
        }
      />
      {call.errorMessage !== undefined && <p className="row-note row-note-failed">{call.errorMessage}</p>}
      {isAgent && (call.toolOutput ?? '') !== '' && call.toolOutputLength === undefined ? (
        <Markdown text={call.toolOutput ?? ''} />
      ) : (
        <ToolOutput call={call} />
      )}
    </>
  );
}

/** Whether the line above the details already says which file it is. */
const isPathInLine = (kind: ToolKind): boolean => kind === 'edit' || kind === 'delete' || kind === 'move';

const pathNames = ['file_path', 'filePath', 'absolute_path', 'notebook_path', 'path'];

/** The file that a call read or changed, at its first line. */
function OpenFile({ call: { diffs, toolArguments, status } }: { readonly call: ToolCallUpsert }): ReactNode {
  const { openPath } = useWorkbench();
  const { store } = useSession();
  const given = pathNames.map((name) => toolArguments[name]).find((value) => typeof value === 'string');
  const path = diffs?.[0]?.path ?? (typeof given === 'string' ? given : '');
  // A path without an extension is probably a folder that was listed or searched.
  if (!/[^/]\.\w+$/.test(path) || status !== 'complete') return null;
  const { offset } = toolArguments;
  const line = typeof offset === 'number' && offset > 0 ? { line: offset } : {};
  return (
    <Button look="quiet" className="show-in-review" onClick={() => openPath(store.sessionId, { path, ...line })}>
      Open file
    </Button>
  );
}

/** Links from one call's change to the file's changes in the review. */
function ShowInReview({ call: { diffs, status, turnId } }: { readonly call: ToolCallUpsert }): ReactNode {
  const { reviews } = useWorkbench();
  const { store, projectDir } = useSession();
  const [first] = diffs ?? [];
  if (first === undefined || status !== 'complete') return null;
  const path = shortPath(first.path, projectDir);
  return (
    <Button
      look="quiet"
      className="show-in-review"
      onClick={() => reviews.open(store.sessionId, { scope: 'turn', turnId, path })}
    >
      Show in review
    </Button>
  );
}

/** The questions to the user, and their answers. */
function Questions({
  call: { questions = [], status, toolOutput = '' },
}: {
  readonly call: ToolCallUpsert;
}): ReactNode {
  const isOver = status === 'complete' || status === 'error';
  const isAnswered = questions.some(({ answer }) => answer !== undefined);
  return (
    <dl className="asked-questions">
      {questions.map(({ question, answer }, index) => (
        <div key={index}>
          <dt dir="auto">{showControls(question)}</dt>
          <dd dir="auto">
            {answer === undefined ? (
              <span className="muted">{isOver ? 'No answer' : 'Needs your answer'}</span>
            ) : (
              showControls(answer)
            )}
          </dd>
        </div>
      ))}
      {isOver && !isAnswered && toolOutput !== '' && <p className="row-note">{showControls(toolOutput)}</p>}
    </dl>
  );
}

/** The input of a call, in a form that suits its kind. */
function Given({ call, kind, isAgent }: Omit<ToolDetailsProps, 'children'>): ReactNode {
  const { toolArguments } = call;
  const command = kind === 'execute' ? commandOf(toolArguments) : '';
  if (command !== '') return <Command text={command} />;
  const { prompt, url } = toolArguments;
  if (isAgent && typeof prompt === 'string') {
    return (
      <div className="agent-prompt">
        <Markdown text={prompt} />
      </div>
    );
  }
  if (kind === 'fetch' && typeof url === 'string') {
    return (
      <p className="fetch-target">
        <Anchor href={url}>{showHidden(url)}</Anchor>
      </p>
    );
  }
  return (call.diffs ?? []).length > 0 ? null : <Arguments values={toolArguments} />;
}

function Command({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="command">
      <pre dir="ltr" tabIndex={0}>
        <LongText text={showHidden(text)} />
      </pre>
      <CopyButton text={() => text} label="Copy command" />
    </div>
  );
}

function Arguments({ values }: { readonly values: Record<string, unknown> }): ReactNode {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return (
    <dl className="arguments">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{showHidden(name)}</dt>
          <dd dir="auto" tabIndex={0}>
            <LongText text={showHidden(typeof value === 'string' ? value : JSON.stringify(value, null, 2))} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
