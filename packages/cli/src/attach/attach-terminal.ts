import { randomUUID } from 'node:crypto';
import type { ApiFailure, ApiResult } from '@liminal/client/call-routes';
import type { Client } from '@liminal/client/connect';
import type { Terminal } from '../base/terminal.ts';
import { visible } from '../base/terminal.ts';
import { openKeyboard } from './keyboard.ts';
import { type Asked, askFor } from './question.ts';
import { createTranscript } from './transcript.ts';

type Options = { readonly isWholeWanted: boolean; readonly mayAnswer: boolean };

const stopQuestion = 'Stop what? t: this turn, s: the session, Enter: nothing, just detach';

/** Nobody can answer this request any more. */
const isOver = ({ code }: ApiFailure): boolean => code === 'PERMISSION_CLOSED' || code === 'PERMISSION_NOT_FOUND';

/** A session in the user's terminal, until they detach. */
export async function attachTerminal(
  client: Client,
  sessionId: string,
  terminal: Terminal,
  { isWholeWanted, mayAnswer }: Options,
  open = openKeyboard,
): Promise<void> {
  const { colours } = terminal;
  const session = client.open(sessionId);
  const ending = new AbortController();
  const transcript = createTranscript(colours, isWholeWanted);
  /** Requests that were shown, so each is asked only once. */
  const shown = new Set<string>();
  let asked: Asked | null = null;
  let isStopping = false;
  let isLost = false;

  const note = (text: string): void => keyboard.write(`${colours.dim(visible(text))}\n`);
  const report = (reply: ApiResult<unknown>): void => {
    if (!reply.ok) keyboard.write(`${colours.red(visible(reply.failure.message))}\n`);
  };
  const ask = (next: Asked): void => {
    asked = next;
    keyboard.write(`\n${next.text}\n`);
  };

  const stop = async (choice: string): Promise<void> => {
    isStopping = false;
    if (choice === 't') report(await client.session.cancel(sessionId));
    else if (choice === 's') report(await client.session.kill(sessionId));
    else ending.abort();
  };
  const answer = async (question: Asked, line: string): Promise<void> => {
    const read = question.read(line);
    if ('again' in read) return note(read.again);
    if ('next' in read) return ask(read.next);
    asked = null;
    const reply = await session.answer(read.answer);
    report(reply);
    if (reply.ok || isOver(reply.failure)) return;
    // The agent still waits for it. If another request was asked meanwhile, this one comes after it.
    if (asked === null) ask(question);
    else shown.delete(question.requestId);
  };
  const onLine = async (line: string): Promise<void> => {
    if (isStopping) return stop(line.trim().toLowerCase());
    if (asked !== null) return answer(asked, line);
    if (line.trim() !== '') report(await session.send(line, { clientMessageId: randomUUID() }));
  };

  const keyboard = open({
    onLine: (line) => void onLine(line),
    onInterrupt() {
      if (isStopping) return ending.abort();
      isStopping = true;
      keyboard.write(`\n${stopQuestion}\n`);
    },
    onEnd: () => ending.abort(),
  });

  try {
    for await (const state of session.follow({ signal: ending.signal })) {
      if ((state.connection.phase !== 'open') !== isLost) {
        isLost = !isLost;
        note(isLost ? 'Disconnected. Retrying…' : 'Reconnected.');
      }
      keyboard.write(transcript.next(state));
      const { permissions } = state.timeline;
      if (asked !== null && !permissions.some(({ requestId }) => requestId === asked?.requestId)) {
        asked = null;
        note('Answered elsewhere.');
      }
      const request = permissions.find(({ requestId }) => !shown.has(requestId));
      if (request === undefined || asked !== null) continue;
      shown.add(request.requestId);
      const question = mayAnswer ? askFor(request, colours) : null;
      if (question) ask(question);
      else keyboard.write(`${colours.yellow('Needs approval:')} ${visible(request.title)}. Answer in the page.\n`);
    }
  } finally {
    keyboard.close();
  }
  note(`Detached. The session keeps running. Attach again with: liminal attach ${sessionId}`);
}
