import { useState, type ReactNode } from 'react';
import type { ToolCallUpsert } from '@liminal/contracts';
import { openText } from '../../../browser/save-file.ts';
import { TerminalOutput } from '../../../rendering/terminal-output.tsx';
import { useSession } from '../../../state/sessions/use-session.ts';
import { useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { Button } from '../../../ui/button.tsx';
import { formatCount } from '../../../ui/format.ts';

/** The whole output, and the part of it that the page had when it was requested. */
type Loaded = Pick<ToolCallUpsert, 'toolOutput' | 'toolOutputLength'> & { readonly text: string };

/** Shows the last lines of a long output first; the rest, including what is only on the server, on a click. */
export function ToolOutput({ call }: { readonly call: ToolCallUpsert }): ReactNode {
  const { store } = useSession();
  const { api } = useWorkbench();
  const [shown, setShown] = useState(0);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failure, setFailure] = useState('');
  const { toolOutput, toolOutputLength } = call;
  // Only until more arrives: a command that is still running would seem to stand still.
  const isCurrent = loaded?.toolOutput === toolOutput && loaded?.toolOutputLength === toolOutputLength;
  const whole = isCurrent ? (loaded?.text ?? null) : null;
  const output = whole ?? toolOutput ?? '';
  if (output === '')
    return call.status === 'complete' && (call.diffs ?? []).length === 0 ? <p className="row-note">No output</p> : null;

  const part = shown === 0 ? lastPart(output) : widen(output, shown);
  const keptBack = whole === null && (toolOutputLength ?? 0) > output.length;
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
    setLoaded({ toolOutput, toolOutputLength, text: reply.value });
    showMore(reply.value);
  };
  return (
    <div className="tool-output">
      {(keptBack || part.hidden > 0) && (
        <span className="tool-output-more">
          <Button look="quiet" onClick={() => (keptBack ? void loadWhole() : showMore(output))}>
            {hiddenLabel(keptBack ? (toolOutputLength ?? 0) : part.hidden, keptBack)}
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

/** How many characters are rendered at a time: a screen of terminal text is fast, megabytes aren't. */
const widestStep = 200_000;

function hiddenLabel(characters: number, keptBack: boolean): string {
  const count = formatCount(characters);
  if (characters > widestStep) return `Show more (${count} characters${keptBack ? ' in total' : ' before this'})`;
  return `Show all (${count} characters${keptBack ? '' : ' more before this'})`;
}

const maxLines = 40;
const maxCharacters = 6000;

/** The end of a long output, from the start of a line, and the number of characters before it. */
export function lastPart(output: string): { text: string; hidden: number } {
  let start = output.length;
  for (let lines = 0; lines < maxLines && start > 0; lines += 1) start = output.lastIndexOf('\n', start - 2) + 1;
  if (output.length - start > maxCharacters) {
    const cut = output.length - maxCharacters;
    const lineStart = output.indexOf('\n', cut) + 1;
    start = lineStart > 0 && lineStart < output.length ? lineStart : cut;
  }
  // Hiding only a few lines isn't worth a click.
  return start < 200 ? { text: output, hidden: 0 } : { text: output.slice(start), hidden: start };
}

/** The last characters, up to a limit. */
function widen(output: string, characters: number): { text: string; hidden: number } {
  const hidden = Math.max(0, output.length - characters);
  return { text: hidden === 0 ? output : output.slice(hidden), hidden };
}
