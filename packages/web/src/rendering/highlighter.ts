import { languageOf, type CodeLines, type HighlightJob, type HighlightResult } from './highlight-job.ts';

/** Beyond this the colours cost more than they help. */
const longest = 40_000;
const kept = 300;

const done = new Map<string, CodeLines>();
const waiting = new Map<number, (lines: CodeLines | null) => void>();
let worker: Worker | null | undefined;
let lastId = 0;

const keyOf = (code: string, language: string): string => `${language}\n${code}`;

/** The worker starts with the first code that wants colours; where it cannot, code stays plain. */
function start(): Worker | null {
  try {
    const started = new Worker(new URL('./highlight.ts', import.meta.url), { type: 'module', name: 'highlight' });
    started.addEventListener('message', ({ data: { id, lines } }: MessageEvent<HighlightResult>) => {
      waiting.get(id)?.(lines);
      waiting.delete(id);
    });
    started.addEventListener('error', () => {
      worker = null;
      waiting.clear();
    });
    return started;
  } catch {
    return null;
  }
}

/** The colours of this code, where they are known already. */
export const knownColours = (code: string, language: string): CodeLines | undefined => done.get(keyOf(code, language));

/** Asks for the colours of a finished piece of code; gives a way to lose interest. */
export function askForColours(code: string, name: string, onColours: (lines: CodeLines) => void): () => void {
  const language = languageOf(name);
  if (language === undefined || code.length > longest || code === '') return () => {};
  worker = worker === undefined ? start() : worker;
  if (worker === null) return () => {};
  const id = (lastId += 1);
  waiting.set(id, (lines) => {
    if (lines === null) return;
    if (done.size >= kept) done.delete(done.keys().next().value ?? '');
    done.set(keyOf(code, name), lines);
    onColours(lines);
  });
  worker.postMessage({ id, code, language } satisfies HighlightJob);
  return () => waiting.delete(id);
}
