import { useState, type ReactNode } from 'react';
import type { ToolCallUpsert } from '@liminal/contracts';
import { openText } from '../../../connection/open-text.ts';
import { TerminalOutput } from '../../../rendering/terminal-output.tsx';
import { useSession } from '../../../state/sessions/use-session.ts';
import { useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { Button } from '../../../ui/button.tsx';
import { formatCount } from '../../../ui/format.ts';
import { lastPart, widen } from './last-part.ts';

/** The last lines first when it is long; the rest, and what the server kept back, on a click. */
export function ToolOutput({ call }: { readonly call: ToolCallUpsert }): ReactNode {
  const { store } = useSession();
  const { api } = useWorkbench();
  const [shown, setShown] = useState(0);
  const [whole, setWhole] = useState<string | null>(null);
  const [failure, setFailure] = useState('');
  const output = whole ?? call.toolOutput ?? '';
  if (output === '')
    return call.status === 'complete' && (call.diffs ?? []).length === 0 ? <p className="row-note">No output</p> : null;

  const part = shown === 0 ? lastPart(output) : widen(output, shown);
  const keptBack = whole === null && (call.toolOutputLength ?? 0) > output.length;
  const showMore = (of: string): void => setShown(Math.max(shown, of.length - part.hidden) + widestStep);
  const openWhole = async (): Promise<void> => {
    const reply = await api.session.output(store.sessionId, call.itemId);
    setFailure(reply.ok ? '' : reply.failure.message);
    if (reply.ok) openText(reply.value);
  };
  const loadWhole = async (): Promise<void> => {
    const reply = await api.session.output(store.sessionId, call.itemId);
    setFailure(reply.ok ? '' : reply.failure.message);
    if (!reply.ok) return;
    setWhole(reply.value);
    showMore(reply.value);
  };
  return (
    <div className="tool-output">
      {(keptBack || part.hidden > 0) && (
        <span className="tool-output-more">
          <Button look="quiet" onClick={() => (keptBack ? void loadWhole() : showMore(output))}>
            {hiddenLabel(keptBack ? (call.toolOutputLength ?? 0) : part.hidden, keptBack)}
          </Button>
          <Button look="quiet" onClick={() => void openWhole()}>
            Open in new tab
          </Button>
        </span>
      )}
      {failure !== '' && <p className="row-note row-note-failed">{failure}</p>}
      <TerminalOutput text={part.text} failed={call.toolOutputIsError === true} />
    </div>
  );
}

/** So many characters are laid out at a time: a screen of terminal text is drawn at once, megabytes are not. */
const widestStep = 200_000;

function hiddenLabel(characters: number, keptBack: boolean): string {
  const count = formatCount(characters);
  if (characters > widestStep) return `Show more (${count} characters${keptBack ? ' in total' : ' before this'})`;
  return `Show all (${count} characters${keptBack ? '' : ' more before this'})`;
}
