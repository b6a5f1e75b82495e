import { buffersOf, indexPatch, type PatchIndex } from '@liminal/domain/review/parse-patch';
import type { PatchJob, PatchResult } from './patch.ts';

/** Reads long patches in a thread of its own. It answers with places only: the page has the text. */
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
