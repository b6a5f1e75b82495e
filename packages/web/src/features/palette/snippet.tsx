import type { ReactNode } from 'react';
import { snippetMarks } from '@liminal/contracts';
import { showControls } from '@liminal/domain/text/visible-text';

const parts = new RegExp(`${snippetMarks.start}([^${snippetMarks.end}]*)${snippetMarks.end}`);

/** A line in which the found words are marked; whatever else is in it is plain text. */
export function Snippet({ text }: { readonly text: string }): ReactNode {
  return text
    .replace(/\s+/g, ' ')
    .split(parts)
    .map((part, index) => (index % 2 === 1 ? <mark key={index}>{showControls(part)}</mark> : showControls(part)));
}
