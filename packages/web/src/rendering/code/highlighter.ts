import { languageOf, type CodeLines, type HighlightJob, type HighlightResult } from './highlight-job.ts';

/** Above this, colours cost more than they help. */
const longest = 40_000;
const kept = 300;
/** A grammar that takes longer is stuck: the worker is terminated, and the next code starts a new one. */
const patienceMs = 10_000;

const done = new Map<string, CodeLines>();
const waiting = new Map<number, (lines: CodeLines | null) => void>();
let worker: Worker | null | undefined;
let lastId = 0;
let watchdog: ReturnType<typeof setTimeout> | undefined;

const keyOf = (code: string, language: string): string => `${language}\n${code}`;

/** The worker starts with the first code to highlight; if it can't, code stays plain. */
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

/** While an answer is pending, a timer checks that one arrives. */
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

/** The colours of this code, if they are already known. */
export const knownColours = (code: string, language: string): CodeLines | undefined => done.get(keyOf(code, language));

/** Languages whose grammar the worker has or is loading. */
const prepared = new Set<string>();

/** Code will be shown soon, in these languages if known: starts the worker and loads the grammars. */
export function prepareColours(names: readonly string[]): void {
  worker = worker === undefined ? start() : worker;
  for (const name of names) {
    const language = languageOf(name);
    if (language === undefined || prepared.has(language)) continue;
    prepared.add(language);
    // The answer isn't needed.
    worker?.postMessage({ id: 0, code: '', language } satisfies HighlightJob);
  }
}

/** Requests the colours of finished code; returns a function that cancels the callback. */
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
  // The answer is still expected: the timer watches for it, and it is cached for the next time.
  return () => {
    if (waiting.has(id)) waiting.set(id, keep);
  };
}
