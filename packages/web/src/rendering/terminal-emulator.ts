import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { type IMarker, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { filePlacesIn, type NamedPlace } from '@liminal/domain/text/file-places';

/** The part of an emulator that shows output. */
export type Screen = {
  /** Calls `shown` when the bytes are on the screen. */
  write(bytes: Uint8Array, shown: () => void): void;
  clear(): void;
  setSize(cols: number, rows: number): void;
};

export type EmulatorColours = {
  readonly background: string;
  readonly foreground: string;
  readonly cursor: string;
  readonly selectionBackground: string;
};

export type Emulator = Screen & {
  /** The size that fills the available space; null while it isn't shown. */
  fit(): { readonly cols: number; readonly rows: number } | null;
  focus(): void;
  selection(): string;
  /** The last command with its output; null before the first one. */
  lastCommand(): string | null;
  /** All output in the scrollback. */
  allText(): string;
  find(text: string, direction: 'next' | 'previous'): void;
  setColours(colours: EmulatorColours): void;
  setWritable(writable: boolean): void;
  dispose(): void;
};

export type EmulatorOptions = {
  readonly host: HTMLElement;
  readonly fontFamily: string;
  readonly onInput: (data: string) => void;
  readonly onSelection: (selection: string) => void;
  /** Whether it answers the program's terminal queries. */
  readonly mayAnswer: () => boolean;
  /** A file place in the output that the user opened with Ctrl or Cmd. */
  readonly onPath: (place: NamedPlace) => void;
  /** Keys that belong to the page rather than to the program. */
  readonly isPageKey: (event: KeyboardEvent) => boolean;
};

const scrollback = 5_000;

/** The only file that uses the terminal emulator. A program's output can't set the clipboard, the title or a link. */
export function openEmulator(options: EmulatorOptions): Emulator {
  const { host, fontFamily, onInput, onSelection, onPath, mayAnswer, isPageKey } = options;
  const terminal = new Terminal({
    fontFamily,
    fontSize: 13,
    lineHeight: 1.2,
    scrollback,
    cursorBlink: false,
    // Programs choose colours for a dark screen; this keeps them readable on a light one.
    minimumContrastRatio: 4.5,
    linkHandler: { activate: (event, address) => openLink(event, address) },
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon(openLink));
  linkPaths(terminal, onPath);
  muteQuestions(terminal, mayAnswer);
  terminal.attachCustomKeyEventHandler((event) => !isPageKey(event));
  terminal.onData(onInput);
  terminal.onSelectionChange(() => onSelection(terminal.getSelection()));
  const lastCommand = followCommands(terminal);
  terminal.open(host);

  return {
    write: (bytes, shown) => terminal.write(bytes, shown),
    clear: () => terminal.reset(),
    setSize: (cols, rows) => terminal.resize(cols, rows),
    fit() {
      const size = fit.proposeDimensions();
      return size && size.cols >= 2 && size.rows >= 1 ? size : null;
    },
    focus: () => terminal.focus(),
    selection: () => terminal.getSelection(),
    lastCommand,
    allText: () => textBetween(terminal, 0, terminal.buffer.active.length),
    find: (text, direction) => void (direction === 'next' ? search.findNext(text) : search.findPrevious(text)),
    setColours: (colours) => void (terminal.options.theme = colours),
    setWritable: (writable) => void (terminal.options.disableStdin = !writable),
    dispose: () => terminal.dispose(),
  };
}

/** File places are links, like web addresses. */
function linkPaths(terminal: Terminal, onPath: (place: NamedPlace) => void): void {
  terminal.registerLinkProvider({
    provideLinks(y, callback) {
      const text = terminal.buffer.active.getLine(y - 1)?.translateToString(true) ?? '';
      callback(
        filePlacesIn(text).map((place) => ({
          range: { start: { x: place.start + 1, y }, end: { x: place.end, y } },
          text: text.slice(place.start, place.end),
          activate: (event) => void ((event.ctrlKey || event.metaKey) && onPath(place)),
        })),
      );
    },
  });
}

/** A link opens only with Ctrl or Cmd held, and only if it is a web address. */
function openLink(event: MouseEvent, address: string): void {
  if (!(event.ctrlKey || event.metaKey) || !/^https?:\/\//i.test(address)) return;
  window.open(address, '_blank', 'noopener,noreferrer');
}

/**
 * Remembers where the last command started and ended: by the marks a shell prints (OSC 133), or without those, by the
 * line on which the user pressed Enter.
 */
function followCommands(terminal: Terminal): () => string | null {
  let isMarked = false;
  let prompt: IMarker | undefined;
  let last: { readonly start: IMarker; end?: IMarker | undefined; endsWithin?: boolean } | null = null;
  const cursorLine = (): number => terminal.buffer.active.baseY + terminal.buffer.active.cursorY;
  terminal.parser.registerOscHandler(133, (data) => {
    isMarked = true;
    if (data.startsWith('A')) prompt = terminal.registerMarker(0);
    if (data.startsWith('C') && prompt) last = { start: prompt };
    if (data.startsWith('D') && last !== null && last.end === undefined) {
      last.end = terminal.registerMarker(0);
      last.endsWithin = terminal.buffer.active.cursorX > 0;
    }
    return true;
  });
  terminal.onData((data) => {
    const start = !isMarked && data.includes('\r') ? terminal.registerMarker(0) : undefined;
    if (start) last = { start };
  });
  return () => {
    if (last === null || last.start.isDisposed) return null;
    const marked = last.end === undefined ? cursorLine() : last.end.line + (last.endsWithin === true ? 1 : 0);
    // A running command has printed up to the cursor; after an unmarked command the cursor is at the next prompt.
    const end = last.end === undefined && isMarked ? marked + 1 : marked;
    const text = textBetween(terminal, last.start.line, end);
    return text === '' ? null : text;
  };
}

/** Lines as they were printed, without wrapping. */
function textBetween(terminal: Terminal, from: number, to: number): string {
  const buffer = terminal.buffer.active;
  let text = '';
  for (let at = from; at < to; at += 1) {
    const line = buffer.getLine(at);
    if (line === undefined) break;
    const goesOn = buffer.getLine(at + 1)?.isWrapped === true && at + 1 < to;
    text += line.translateToString(!goesOn) + (goesOn ? '' : '\n');
  }
  return text.trimEnd();
}

/** All queries a program can send to its terminal: device, status, modes, settings, colours. */
function muteQuestions(terminal: Terminal, mayAnswer: () => boolean): void {
  const isMuted = (): boolean => !mayAnswer();
  const { parser } = terminal;
  const questions = [
    { final: 'c' },
    { prefix: '>', final: 'c' },
    { prefix: '=', final: 'c' },
    { final: 'n' },
    { prefix: '?', final: 'n' },
    { prefix: '>', final: 'q' },
    { intermediates: '$', final: 'p' },
    { prefix: '?', intermediates: '$', final: 'p' },
    { prefix: '?', final: 'u' },
  ];
  for (const question of questions) parser.registerCsiHandler(question, isMuted);
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, isMuted);
  for (const colour of [4, 10, 11, 12]) parser.registerOscHandler(colour, (data) => data.includes('?') && isMuted());
}
