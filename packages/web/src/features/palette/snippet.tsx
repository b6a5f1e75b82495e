import type { ReactNode } from 'react';
import { snippetParts } from '@liminal/domain/search/snippet-parts';
import { showControls } from '@liminal/domain/text/visible-text';

/** A line in which the found words are marked; whatever else is in it is plain text. */
export function Snippet({ text }: { readonly text: string }): ReactNode {
  return snippetParts(text.replace(/\s+/g, ' ')).map((part, index) =>
    part.isFind ? <mark key={index}>{showControls(part.text)}</mark> : showControls(part.text),
  );
}
