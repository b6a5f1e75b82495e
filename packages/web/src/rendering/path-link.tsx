import { createContext, use, type ReactNode } from 'react';

/** Opens a file of the project at a line. */
export type OpenPath = (path: string, line: number) => void;

/** Null where no file can be opened. */
export const PathContext = createContext<OpenPath | null>(null);

/** `src/a.ts:14` or `src/a.ts:14:3`: a file with an ending, or in a folder, and a line of it. */
const shape = /^((?:[\w@.+-]+\/)*[\w@+-]*(?:\.[\w+-]+)+|(?:\/?[\w@.+-]+\/)+[\w@.+-]+):(\d{1,7})(?::\d{1,5})?$/;

/** The file and the line that a text names, and nothing else. */
export function readPath(text: string): { readonly path: string; readonly line: number } | null {
  const found = shape.exec(text);
  if (found === null || text.includes('//')) return null;
  return { path: found[1] ?? '', line: Number(found[2]) };
}

/** A text that names a file and a line leads there; any other stays as it is. */
export function PathLink({ text, children }: { readonly text: string; readonly children: ReactNode }): ReactNode {
  const open = use(PathContext);
  const place = open === null ? null : readPath(text);
  if (open === null || place === null) return children;
  return (
    <button type="button" className="link-button path-link" onClick={() => open(place.path, place.line)}>
      {children}
    </button>
  );
}
