import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { GrepMatch, type GrepBody, type GrepLine } from '@liminal/contracts';
import { ownEntry } from '../../program/program-files.ts';
import type { GrepNews, GrepWork } from './grep-thread.ts';
import { createLineSplitter } from './split-lines.ts';

export type GrepRun = {
  /** A real path. */
  readonly folder: string;
  readonly body: GrepBody;
  /** The files to search if ripgrep isn't installed. */
  readonly files: () => Promise<readonly string[]>;
  readonly signal: AbortSignal;
  readonly say: (line: GrepLine) => void;
};
export type Grep = (run: GrepRun) => Promise<void>;

export const mostMatches = 5_000;
/** A thread that is silent for this long is stuck in its pattern. */
const longestSilenceMs = 5_000;
/** With --json, ripgrep prints a whole line and each match in it, however long. A longer record is skipped. */
const longestRecord = 1024 * 1024;

/** Searches with ripgrep if the user has it, otherwise in a worker thread. */
export const createGrep = (path: string): Grep => {
  const program = findRipgrep(path);
  return program === null ? grepHere : (run) => grepWithRipgrep(program, run);
};

/** Relative folders are skipped: ripgrep runs in the project folder, whose own file would then run. */
function findRipgrep(path: string): string | null {
  const places = path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, 'rg'));
  const isProgram = (place: string): boolean => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return places.find(isProgram) ?? null;
}

export async function grepHere({ folder, body, files, signal, say }: GrepRun): Promise<void> {
  const { query, regex, case: isCase, globs } = body;
  const wrong = regex === true ? faultOf(query) : null;
  if (wrong !== null) return say({ done: true, truncated: false, error: wrong });
  const listed = await files();
  if (signal.aborted) return;
  const given = { query, ...(regex && { regex }), ...(isCase && { case: isCase }), ...(globs && { globs }) };
  const work: GrepWork = { folder, files: listed, body: given, mostMatches };
  const { promise, resolve } = Promise.withResolvers<void>();
  const worker = new Worker(ownEntry('files/contents/grep-thread'), { workerData: work });
  let isDone = false;
  const end = (last?: GrepLine): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(silence);
    signal.removeEventListener('abort', stop);
    if (last) say(last);
    void worker.terminate().then(() => resolve());
  };
  const stop = (): void => end();
  const tooLong = () =>
    end({
      done: true,
      truncated: true,
      error: 'This pattern takes too long. Use a simpler one, or search for plain text.',
    });
  let silence = setTimeout(tooLong, longestSilenceMs);
  signal.addEventListener('abort', stop, { once: true });
  worker.on('message', ({ matches, done }: GrepNews) => {
    if (isDone) return;
    clearTimeout(silence);
    silence = setTimeout(tooLong, longestSilenceMs);
    for (const match of matches) say(match);
    if (done) end({ done: true, ...done });
  });
  worker.once('error', () => end({ done: true, truncated: true, error: "The search didn't finish. Try again." }));
  worker.once('exit', () => end({ done: true, truncated: true, error: "The search didn't finish. Try again." }));
  return promise;
}

function faultOf(pattern: string): string | null {
  try {
    void new RegExp(pattern, 'u');
    return null;
  } catch (error) {
    return `This isn't a valid pattern: ${(error as Error).message.replace(/^Invalid regular expression: /, '')}`;
  }
}

async function grepWithRipgrep(program: string, { folder, body, signal, say }: GrepRun): Promise<void> {
  const { query, regex, case: isCase, globs = [] } = body;
  const args = ['--no-config', '--json', '--hidden', '--glob', '!.git', '--max-filesize', '64M', '--max-count', '1000'];
  args.push(isCase ? '--case-sensitive' : '--ignore-case', ...(regex ? [] : ['--fixed-strings']));
  for (const glob of globs) args.push('--glob', glob);
  const child = spawn(program, [...args, '-e', query, '--', './'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const { promise, resolve } = Promise.withResolvers<void>();
  let [count, errors] = [0, ''];
  let [isEnded, hasSkipped] = [false, false];
  const stop = (): void => {
    child.kill('SIGKILL');
    // What it has printed so far isn't needed either.
    child.stdout.destroy();
  };
  signal.addEventListener('abort', stop, { once: true });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(0, 500)));
  const onRecord = (record: string | null): void => {
    if (signal.aborted || count >= mostMatches) return;
    hasSkipped ||= record === null;
    const match = record === null ? null : readMatch(record);
    if (match === null) return;
    say(match);
    if ((count += 1) >= mostMatches) stop();
  };
  child.stdout.on('data', createLineSplitter(longestRecord, onRecord));
  const end = (code: number | null): void => {
    if (isEnded) return;
    isEnded = true;
    signal.removeEventListener('abort', stop);
    const error = code === 2 && count === 0 ? errors.trim() || "The search didn't finish." : undefined;
    if (!signal.aborted) say({ done: true, truncated: hasSkipped || count >= mostMatches, ...(error && { error }) });
    resolve();
  };
  child.once('error', () => end(2));
  child.once('close', end);
  return promise;
}

type RipgrepLine = {
  type?: string;
  data?: {
    path?: { text?: string };
    line_number?: number;
    lines?: { text?: string };
    submatches?: { start?: number }[];
  };
};

/** One line of ripgrep's JSON output. Null for anything that isn't a match in text. */
export function readMatch(line: string): GrepMatch | null {
  try {
    const { type, data } = JSON.parse(line) as RipgrepLine;
    if (type !== 'match') return null;
    const text = (data?.lines?.text ?? '').replace(/\r?\n$/, '');
    const start = Buffer.from(text)
      .subarray(0, data?.submatches?.[0]?.start ?? 0)
      .toString().length;
    const from = text.length <= 400 ? 0 : Math.max(0, start - 120);
    const path = data?.path?.text?.replace(/^\.\//, '');
    const match = { path, line: data?.line_number, column: start + 1, text: text.slice(from, from + 400) };
    return GrepMatch.safeParse(match).data ?? null;
  } catch {
    return null;
  }
}
