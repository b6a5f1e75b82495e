import { useCallback, useSyncExternalStore } from 'react';
import type { DiffLine } from '@liminal/domain/diff/line-diff';
import { showHidden } from '@liminal/domain/text/visible-text';
import type { CodeLines } from '../code/highlight-job.ts';
import { askForColours, knownColours } from '../code/highlighter.ts';
import type { Patch } from './patch.ts';
import { endingOf, type ColoursOf } from './use-diff-colours.ts';

/** Lines that are highlighted together, each side as one text. */
type Piece = { readonly from: number; readonly to: number; old: Side; new: Side; asked: boolean };
type Side = { lines: CodeLines | null; readonly places: Map<number, number> };
type Coloured = { readonly pieces: readonly Piece[]; version: number; readonly listeners: Set<() => void> };

/** Few enough for fast first colours, and enough for most hunks to stay whole. */
const mostCharacters = 12_000;

const coloured = new WeakMap<Patch, Coloured>();

function colouredOf(patch: Patch): Coloured {
  const known = coloured.get(patch);
  if (known !== undefined) return known;
  const made: Coloured = { pieces: piecesOf(patch), version: 0, listeners: new Set() };
  coloured.set(patch, made);
  return made;
}

/** Groups whole hunks as far as they fit; splits a longer hunk. */
function piecesOf({ index: { hunks, starts, ends } }: Patch): Piece[] {
  const pieces: Piece[] = [];
  const isStart = new Set(hunks);
  let from = 0;
  let lastHunk = 0;
  const cut = (to: number): void => {
    if (to > from) pieces.push({ from, to, old: side(), new: side(), asked: false });
    from = to;
  };
  for (let line = 0; line < starts.length; line += 1) {
    if (isStart.has(line)) lastHunk = line;
    if ((ends[line] ?? 0) - (starts[from] ?? 0) > mostCharacters) cut(lastHunk > from ? lastHunk : line);
  }
  cut(starts.length);
  return pieces;
}

const side = (): Side => ({ lines: null, places: new Map() });

function ask(patch: Patch, path: string, piece: Piece, onColours: () => void): void {
  piece.asked = true;
  const texts = { old: [] as string[], new: [] as string[] };
  for (let place = piece.from; place < piece.to; place += 1) {
    const line = patch.line(place);
    for (const name of ['old', 'new'] as const) {
      if (line.kind === (name === 'old' ? 'added' : 'removed')) continue;
      piece[name].places.set(place, texts[name].length);
      texts[name].push(showHidden(line.text));
    }
  }
  const language = endingOf(path);
  for (const name of ['old', 'new'] as const) {
    const code = texts[name].join('\n');
    piece[name].lines = knownColours(code, language) ?? null;
    if (piece[name].lines !== null) continue;
    askForColours(code, language, (lines) => {
      piece[name].lines = lines;
      onColours();
    });
  }
}

/** Rows that become visible within one frame belong together. */
const frameMs = 20;
const calmMs = 100;
let burstAt = -Infinity;
let lastAt = -Infinity;

/**
 * Requests colours at once for the first visible rows, and after a pause for rows the user scrolls to: text without
 * colours takes half the time to lay out, and rows that only fly past need none.
 */
function whenCalm(task: () => void): () => void {
  const now = performance.now();
  if (now - lastAt > calmMs) burstAt = now;
  lastAt = now;
  if (now - burstAt < frameMs) {
    task();
    return () => {};
  }
  const timer = setTimeout(task, calmMs);
  return () => clearTimeout(timer);
}

/** The colours of a patch's lines in a range; they arrive later, and change nothing but the colour. */
export function usePatchColours(patch: Patch, path: string, from: number, to: number): ColoursOf {
  const subscribe = useCallback(
    (listener: () => void) => {
      const held = colouredOf(patch);
      held.listeners.add(listener);
      const publish = (): void => {
        held.version += 1;
        for (const each of held.listeners) each();
      };
      const isWanted = (piece: Piece): boolean => !piece.asked && piece.from < to && from < piece.to;
      const askForWanted = (): void => {
        for (const piece of held.pieces) if (isWanted(piece)) ask(patch, path, piece, publish);
      };
      const lose = held.pieces.some(isWanted) ? whenCalm(askForWanted) : () => {};
      return () => {
        lose();
        held.listeners.delete(listener);
      };
    },
    [patch, path, from, to],
  );
  useSyncExternalStore(subscribe, () => colouredOf(patch).version);
  return (line: DiffLine) => {
    const place = patch.placeOf(line);
    const piece = colouredOf(patch).pieces.find((each) => each.from <= place && place < each.to);
    const shown = line.kind === 'removed' ? piece?.old : piece?.new;
    return shown?.lines?.[shown.places.get(place) ?? -1];
  };
}
