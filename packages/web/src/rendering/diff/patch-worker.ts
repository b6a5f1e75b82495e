import { buffersOf, indexPatch, type PatchIndex } from '@liminal/domain/review/parse-patch';
import type { PatchJob, PatchResult } from './patch.ts';

/** Parses long patches in a worker. It returns only positions: the page has the text. */
function read(text: string): PatchIndex | null {
  try {
    return indexPatch(text);
  } catch {
    return null;
  }
}

addEventListener('message', ({ data: { id, text } }: MessageEvent<PatchJob>) => {
  const index = read(text);
  postMessage({ id, index } satisfies PatchResult, { transfer: index === null ? [] : buffersOf(index) });
});
