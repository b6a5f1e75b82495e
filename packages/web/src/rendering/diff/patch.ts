import type { DiffLine } from '@liminal/domain/diff/line-diff';
import { indexPatch, lineOf, type PatchIndex } from '@liminal/domain/review/parse-patch';
import { wordMarks, type Span } from '@liminal/domain/diff/word-marks';

/** A patch ready to show: its lines are created when they become visible, and stay the same objects. */
export type Patch = {
  readonly text: string;
  readonly index: PatchIndex;
  readonly line: (index: number) => DiffLine;
  /** The index of a line returned by `line`. */
  readonly placeOf: (line: DiffLine) => number;
  /** The words that differ from the line's counterpart. */
  readonly marksOf: (line: DiffLine) => readonly Span[];
  /** The index of a line by its number on one side; -1 if the patch doesn't show it. */
  readonly find: (side: 'old' | 'new', line: number) => number;
};

const noMarks: readonly Span[] = [];

function createPatch(text: string, index: PatchIndex): Patch {
  const lines = new Map<number, DiffLine>();
  const places = new Map<DiffLine, number>();
  const marks = new Map<DiffLine, readonly Span[]>();
  const line = (place: number): DiffLine => {
    const known = lines.get(place);
    if (known !== undefined) return known;
    const made = lineOf(text, index, place);
    lines.set(place, made);
    places.set(made, place);
    return made;
  };
  const placeOf = (shown: DiffLine): number => places.get(shown) ?? -1;
  const marksOf = (shown: DiffLine): readonly Span[] => {
    const known = marks.get(shown);
    if (known !== undefined) return known;
    const partner = index.partners[placeOf(shown)] ?? -1;
    if (partner < 0 || shown.kind === 'same') return noMarks;
    const [before, after] = shown.kind === 'removed' ? [shown, line(partner)] : [line(partner), shown];
    const { removed, added } = wordMarks(before.text, after.text);
    marks.set(before, removed).set(after, added);
    return shown.kind === 'removed' ? removed : added;
  };
  const numbered: Partial<Record<'old' | 'new', Map<number, number>>> = {};
  const find = (side: 'old' | 'new', number: number): number => {
    const known = (numbered[side] ??= byNumber(side === 'old' ? index.oldLines : index.newLines));
    return known.get(number) ?? -1;
  };
  return { text, index, line, placeOf, marksOf, find };
}

function byNumber(numbers: Int32Array): Map<number, number> {
  const places = new Map<number, number>();
  for (const [place, number] of numbers.entries()) if (number > 0) places.set(number, place);
  return places;
}

/** Parsing a shorter patch is faster than passing it to the worker. */
const readHere = 50_000;

export type PatchJob = { readonly id: number; readonly text: string };
export type PatchResult = { readonly id: number; readonly index: PatchIndex | null };

const waiting = new Map<number, (index: PatchIndex | null) => void>();
let worker: Worker | null | undefined;
let lastId = 0;

function start(): Worker | null {
  try {
    const started = new Worker(new URL('./patch-worker.ts', import.meta.url), { type: 'module', name: 'patches' });
    started.addEventListener('message', ({ data: { id, index } }: MessageEvent<PatchResult>) => {
      const answer = waiting.get(id);
      waiting.delete(id);
      answer?.(index);
    });
    started.addEventListener('error', () => {
      worker = null;
      for (const answer of waiting.values()) answer(null);
      waiting.clear();
    });
    return started;
  } catch {
    return null;
  }
}

/** Parses a patch; a long one in a worker, so it never blocks the page. */
export async function readPatch(text: string): Promise<Patch> {
  if (text.length <= readHere) return createPatch(text, indexPatch(text));
  worker = worker === undefined ? start() : worker;
  const started = worker;
  if (started === null) return createPatch(text, indexPatch(text));
  const index = await new Promise<PatchIndex | null>((resolve) => {
    const id = (lastId += 1);
    waiting.set(id, resolve);
    started.postMessage({ id, text } satisfies PatchJob);
  });
  return createPatch(text, index ?? indexPatch(text));
}
