import { useState, type ReactNode } from 'react';
import type { ToolCallUpsert, ToolKind } from '@liminal/contracts';
import { Diff } from '../../rendering/diff.tsx';
import { TerminalOutput } from '../../rendering/terminal-output.tsx';
import { useSession } from '../../state/use-session.ts';
import { useWorkbench } from '../../state/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatCount } from '../../ui/format.ts';
import { lastPart } from './last-part.ts';

/** Everything there is to know of a call: what it was given, what it changed, what came out. */
export function ToolDetails({ call, kind }: { readonly call: ToolCallUpsert; readonly kind: ToolKind }): ReactNode {
  const { projectDir } = useSession();
  const diffs = call.diffs ?? [];
  const command =
    kind === 'execute' && typeof call.toolArguments['command'] === 'string' ? call.toolArguments['command'] : null;
  return (
    <>
      {command !== null && <Command text={command} />}
      {command === null && diffs.length === 0 && <Arguments values={call.toolArguments} />}
      {diffs.map((diff, index) => (
        <Diff key={index} diff={diff} projectDir={projectDir} />
      ))}
      {call.errorMessage !== undefined && <p className="row-note row-note-failed">{call.errorMessage}</p>}
      <Output call={call} />
    </>
  );
}

function Command({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="command">
      <pre dir="ltr" tabIndex={0}>
        {text}
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
          <dt>{name}</dt>
          <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The last lines first when it is long; the rest, and what the server kept back, on a click. */
function Output({ call }: { readonly call: ToolCallUpsert }): ReactNode {
  const { store } = useSession();
  const { api } = useWorkbench();
  const [all, setAll] = useState(false);
  const [whole, setWhole] = useState<string | null>(null);
  const [failure, setFailure] = useState('');
  const output = whole ?? call.toolOutput ?? '';
  if (output === '')
    return call.status === 'complete' && (call.diffs ?? []).length === 0 ? <p className="row-note">No output</p> : null;

  const part = all ? { text: output, hidden: 0 } : lastPart(output);
  const keptBack = whole === null && (call.toolOutputLength ?? 0) > output.length;
  const loadWhole = async (): Promise<void> => {
    const reply = await api.output(store.sessionId, call.itemId);
    if (reply.ok) {
      setWhole(reply.value);
      setAll(true);
    } else setFailure(reply.failure.message);
  };
  return (
    <div className="tool-output">
      {keptBack && (
        <Button look="quiet" onClick={() => void loadWhole()}>
          {`Load the whole output (${formatCount(call.toolOutputLength ?? 0)} characters)`}
        </Button>
      )}
      {failure !== '' && <p className="row-note">{failure}</p>}
      {!keptBack && part.hidden > 0 && (
        <Button look="quiet" onClick={() => setAll(true)}>
          {`Show all (${formatCount(part.hidden)} more characters before this)`}
        </Button>
      )}
      <TerminalOutput text={part.text} failed={call.toolOutputIsError === true} />
    </div>
  );
}
