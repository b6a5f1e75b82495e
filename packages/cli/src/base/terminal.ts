import { showControls } from '@liminal/domain/text/visible-text';
import type { ApiFailure } from '@liminal/client/call-routes';

type Stream = { write(text: string): unknown; readonly isTTY?: boolean };

export type Paint = (text: string) => string;
export type Colours = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', Paint>>;

/** The output of a command: sentences for people, or one JSON value per line for programs. */
export type Terminal = {
  readonly isJson: boolean;
  /** Whether a person reads it, and not a file or another program. */
  readonly isPerson: boolean;
  readonly colours: Colours;
  /** Our own text, or foreign text after `visible`. */
  write(text: string): void;
  line(text?: string): void;
  json(value: object): void;
  /** On stderr, so the requested output stays clean. */
  complain(failure: Pick<ApiFailure, 'code' | 'message'>): void;
  /** Also on stderr; foreign text in it can't control the terminal. */
  note(text: string): void;
};

/**
 * Escapes text of agents and repositories, so it can't control the terminal. A carriage return would overwrite the
 * line.
 */
export const visible = (text: string): string => showControls(text.replaceAll('\r\n', '\n')).replaceAll('\r', '␍');

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

function coloursOf(isOn: boolean): Colours {
  const paint =
    ([on, off]: readonly [number, number]): Paint =>
    (text) =>
      isOn ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return Object.fromEntries(Object.entries(codes).map(([name, pair]) => [name, paint(pair)])) as Colours;
}

export function createTerminal(stdout: Stream, stderr: Stream, env: NodeJS.ProcessEnv, isJson: boolean): Terminal {
  const isPerson = stdout.isTTY === true && !isJson;
  const isPlain = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return {
    isJson,
    isPerson,
    colours: coloursOf(isPerson && !isPlain),
    write: (text) => void stdout.write(text),
    line: (text = '') => void stdout.write(`${text}\n`),
    json: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    complain({ code, message }) {
      stderr.write(isJson ? `${JSON.stringify({ error: { code, message } })}\n` : `${visible(message)}\n`);
    },
    note: (text) => void (isJson ? undefined : stderr.write(`${visible(text)}\n`)),
  };
}
