import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { GrepBody, GrepMatch } from '@liminal/contracts';

/** The input and output of the worker thread. */
export type GrepWork = {
  readonly folder: string;
  readonly files: readonly string[];
  readonly body: Pick<GrepBody, 'query' | 'regex' | 'case' | 'globs'>;
  readonly mostMatches: number;
};
export type GrepNews = { readonly matches: readonly GrepMatch[]; readonly done?: { readonly truncated: boolean } };

const largest = 64 * 1024 * 1024;
const longestText = 400;
const before = 120;
const newsEveryMs = 40;

// A pattern can take forever, so the search runs in a thread that the caller can terminate.
if (parentPort !== null) search(workerData as GrepWork, (news) => parentPort?.postMessage(news));

function search({ folder, files, body, mostMatches }: GrepWork, say: (news: GrepNews) => void): void {
  const pattern = patternOf(body);
  const fits = globFilter(body.globs ?? []);
  const plain = body.regex !== true && body.case === true ? Buffer.from(body.query) : null;
  const safeFolders = new Map<string, boolean>();
  let found: GrepMatch[] = [];
  let count = 0;
  let saidAt = 0;
  let skipped = false;
  const flush = (): void => {
    say({ matches: found });
    found = [];
    saidAt = performance.now();
  };
  for (const file of files) {
    if (performance.now() - saidAt > newsEveryMs) flush();
    if (!fits(file) || !liesInside(folder, dirname(file), safeFolders)) continue;
    const bytes = read(join(folder, file));
    skipped ||= bytes === 'large';
    if (typeof bytes === 'string' || bytes.subarray(0, 8_000).includes(0)) continue;
    if (plain !== null && !bytes.includes(plain)) continue;
    for (const match of matchesIn(file, bytes.toString('utf8'), pattern)) {
      found.push(match);
      if ((count += 1) >= mostMatches) return say({ matches: found, done: { truncated: true } });
    }
  }
  say({ matches: found, done: { truncated: skipped } });
}

function patternOf({ query, regex = false, case: isCase = false }: GrepWork['body']): RegExp {
  const source = regex ? query : query.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(source, isCase ? 'gmu' : 'gimu');
}

function globFilter(globs: readonly string[]): (file: string) => boolean {
  const [out, wanted] = [
    globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)),
    globs.filter((glob) => !glob.startsWith('!')),
  ];
  // As in a .gitignore, a glob without a slash matches only the name.
  const fits = (file: string, glob: string): boolean => matchesGlob(file, glob.includes('/') ? glob : `**/${glob}`);
  return (file) =>
    !out.some((glob) => fits(file, glob)) && (wanted.length === 0 || wanted.some((glob) => fits(file, glob)));
}

/** A parent folder may be a link that leads elsewhere. */
function liesInside(folder: string, way: string, known: Map<string, boolean>): boolean {
  const cached = known.get(way);
  if (cached !== undefined) return cached;
  let isInside = false;
  try {
    const real = realpathSync(join(folder, way));
    isInside = real === folder || real.startsWith(`${folder}/`);
  } catch {
    // The file is gone.
  }
  known.set(way, isInside);
  return isInside;
}

function read(path: string): Buffer | 'large' | 'gone' {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const about = fstatSync(file);
      if (!about.isFile()) return 'gone';
      if (about.size > largest) return 'large';
      const bytes = Buffer.allocUnsafe(about.size);
      return bytes.subarray(0, readSync(file, bytes, 0, about.size, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return 'gone';
  }
}

function* matchesIn(path: string, text: string, pattern: RegExp): Generator<GrepMatch> {
  let [line, lineStart] = [1, 0];
  let lastLine = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === '') pattern.lastIndex += 1;
    for (
      let next = text.indexOf('\n', lineStart);
      next !== -1 && next < match.index;
      next = text.indexOf('\n', lineStart)
    ) {
      line += 1;
      lineStart = next + 1;
    }
    // Report a line once, however often it matches.
    if (line === lastLine) continue;
    lastLine = line;
    const end = text.indexOf('\n', match.index);
    const column = match.index - lineStart + 1;
    yield { path, line, column, text: cut(text.slice(lineStart, end === -1 ? undefined : end), column) };
  }
}

function cut(line: string, column: number): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  const start = text.length <= longestText ? 0 : Math.max(0, column - before);
  return text.slice(start, start + longestText);
}
