import { languageOf, type CodeLines, type HighlightJob, type HighlightResult } from './highlight-job.ts';

/** Beyond this the colours cost more than they help. */
const longest = 40_000;
const kept = 300;
/** A grammar that takes longer has met its match: the thread is ended and a new one starts with the next code. */
const patienceMs = 10_000;

const done = new Map<string, CodeLines>();
const waiting = new Map<number, (lines: CodeLines | null) => void>();
let worker: Worker | null | undefined;
let lastId = 0;
let watchdog: ReturnType<typeof setTimeout> | undefined;

const keyOf = (code: string, language: string): string => `${language}\n${code}`;

/** The worker starts with the first code that wants colours; where it cannot, code stays plain. */
function start(): Worker | null {
  try {
    const started = new Worker(new URL('./highlight.ts', import.meta.url), { type: 'module', name: 'highlight' });
    started.addEventListener('message', ({ data: { id, lines } }: MessageEvent<HighlightResult>) => {
      const answer = waiting.get(id);
      waiting.delete(id);
      watch();
      answer?.(lines);
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

/** As long as an answer is awaited, somebody watches that one comes. */
function watch(): void {
  clearTimeout(watchdog);
  if (waiting.size === 0) return;
  watchdog = setTimeout(() => {
    worker?.terminate();
    worker = undefined;
    prepared.clear();
    waiting.clear();
  }, patienceMs);
}

/** The colours of this code, where they are known already. */
export const knownColours = (code: string, language: string): CodeLines | undefined => done.get(keyOf(code, language));

/** Languages whose grammar the worker has, or is fetching. */
const prepared = new Set<string>();

/** Code is about to be shown, of these kinds where they are known: the worker starts and fetches grammars meanwhile. */
export function prepareColours(names: readonly string[]): void {
  worker = worker === undefined ? start() : worker;
  for (const name of names) {
    const language = languageOf(name);
    if (language === undefined || prepared.has(language)) continue;
    prepared.add(language);
    // Nobody waits for the answer.
    worker?.postMessage({ id: 0, code: '', language } satisfies HighlightJob);
  }
}

/** Asks for the colours of a finished piece of code; gives a way to lose interest. */
export function askForColours(code: string, name: string, onColours: (lines: CodeLines) => void): () => void {
  const language = languageOf(name);
  if (language === undefined || code.length > longest || code === '') return () => {};
  worker = worker === undefined ? start() : worker;
  if (worker === null) return () => {};
  const id = (lastId += 1);
  const keep = (lines: CodeLines | null): void => {
    if (lines === null) return;
    if (done.size >= kept) done.delete(done.keys().next().value ?? '');
    done.set(keyOf(code, name), lines);
  };
  waiting.set(id, (lines) => {
    keep(lines);
    if (lines !== null) onColours(lines);
  });
  if (waiting.size === 1) watch();
  worker.postMessage({ id, code, language } satisfies HighlightJob);
  // The answer is still awaited, for the watch and for the next time this code is shown.
  return () => {
    if (waiting.has(id)) waiting.set(id, keep);
  };
}
