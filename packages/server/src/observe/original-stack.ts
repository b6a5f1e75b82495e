import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFolder } from '../program/program-files.ts';

const place = /(file:\/\/\/[^\s()]+\.js):(\d+):(\d+)/g;
/** Null for a file without a source map. */
const maps = new Map<string, SourceMap | null>();

/**
 * Maps a stack trace of the built program to the source files. Source maps are read when the first stack is printed,
 * because Node's own support costs about 45 MB from the start.
 */
export function originalStack(stack: string): string {
  return stack.replace(place, (whole, url: string, line: string, column: string) => {
    const file = fileURLToPath(url);
    const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin) || !origin.fileName) return whole;
    const source = relative(programFolder, resolve(dirname(file), origin.fileName));
    return `${source}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

function mapOf(file: string): SourceMap | null {
  let known = maps.get(file);
  if (known === undefined) maps.set(file, (known = readMap(file)));
  return known;
}

function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as ConstructorParameters<typeof SourceMap>[0]);
  } catch {
    return null;
  }
}
