import { useMemo } from 'react';
import type { DiffHunk, DiffLine } from '@liminal/domain/diff/line-diff';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useColours } from '../code/code-block.tsx';
import type { CodeToken } from '../code/highlight-job.ts';

export type ColoursOf = (line: DiffLine) => readonly CodeToken[] | undefined;

/** A file's extension determines its grammar. */
export const endingOf = (path: string): string => /\.([\w+]+)$/.exec(path)?.[1] ?? path.split('/').at(-1) ?? '';

/**
 * The colours of a change's lines. Each side is highlighted as one text, so a removed line never mixes with its
 * replacement. Colours arrive after the lines, and change nothing but their colour.
 */
export function useDiffColours(hunks: readonly DiffHunk[], path: string): ColoursOf {
  const sides = useMemo(() => {
    const all = hunks.flatMap((hunk) => hunk.lines);
    return {
      old: sideOf(all.filter(({ kind }) => kind !== 'added')),
      new: sideOf(all.filter(({ kind }) => kind !== 'removed')),
    };
  }, [hunks]);
  const language = endingOf(path);
  const [before, after] = [useColours(sides.old.text, language, true), useColours(sides.new.text, language, true)];
  return (line) =>
    line.kind === 'removed' ? before?.[sides.old.places.get(line) ?? -1] : after?.[sides.new.places.get(line) ?? -1];
}

function sideOf(lines: readonly DiffLine[]): { text: string; places: ReadonlyMap<DiffLine, number> } {
  return {
    text: lines.map(({ text }) => showHidden(text)).join('\n'),
    places: new Map(lines.map((line, index) => [line, index])),
  };
}
