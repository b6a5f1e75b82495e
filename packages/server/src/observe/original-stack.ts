import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFolder } from '../program/program-files.ts';
import { findOrigins } from './find-origins.ts';

const place = /(file:\/\/\/[^\s()]+\.js):(\d+):(\d+)/g;
/** The source position of each position found so far: a fault that repeats is looked up once. */
const known = new Map<string, string>();
const mostKnown = 1_000;

/**
 * Maps a stack trace of the built program to the source files. Source maps are read when a stack is printed, because
 * Node's own support costs about 45 MB from the start.
 */
export function originalStack(stack: string): string {
  const unknown = new Map<string, Set<string>>();
  for (const [whole, url = ''] of stack.matchAll(place))
    if (!known.has(whole)) unknown.set(url, (unknown.get(url) ?? new Set()).add(whole));
  for (const [url, places] of unknown) lookUp(fileURLToPath(url), [...places]);
  const text = stack.replace(place, (whole) => known.get(whole) ?? whole);
  if (known.size > mostKnown) known.clear();
  return text;
}

function lookUp(file: string, places: readonly string[]): void {
  const map = readMap(file);
  const wanted = places.map((whole) => {
    const [line = 1, column = 1] = whole.split(':').slice(-2).map(Number);
    return { line: line - 1, column: column - 1 };
  });
  const origins = map === null ? [] : findOrigins(map.mappings, wanted);
  for (const [index, whole] of places.entries()) {
    const origin = origins[index];
    const name = origin && map?.sources[origin.source];
    const source = name && relative(programFolder, resolve(dirname(file), name));
    known.set(whole, source ? `${source}:${origin.line + 1}:${origin.column + 1}` : whole);
  }
}

/** Null for a file without a source map. */
function readMap(file: string): { readonly mappings: string; readonly sources: readonly string[] } | null {
  try {
    return JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { mappings: string; sources: string[] };
  } catch {
    return null;
  }
}
