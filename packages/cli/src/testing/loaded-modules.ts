import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../../', import.meta.url));
/** What a file loads immediately: no types, and no dynamic imports. */
const loaded = /^(?:import|export)\s+(?!type\b)(?:[^;]*?from\s+)?'([^']+)'/gm;

function placeOf(name: string, from: string): string {
  if (name.startsWith('.')) return join(dirname(from), name);
  const [, part = '', rest = ''] = /^@liminal\/([^/]+)\/?(.*)$/.exec(name) ?? [];
  return join(packages, part, 'src', `${rest || 'index'}.ts`);
}

/** Everything that is loaded with one of our files: files as paths from `packages`, and packages by name. */
export function modulesLoadedWith(file: string): Set<string> {
  const found = new Set<string>();
  const visit = (path: string): void => {
    const name = path.slice(packages.length);
    if (found.has(name)) return;
    found.add(name);
    for (const [, to = ''] of readFileSync(path, 'utf8').matchAll(loaded)) {
      if (to.startsWith('.') || to.startsWith('@liminal/')) visit(placeOf(to, path));
      else found.add(to);
    }
  };
  const start = join(packages, file);
  if (!existsSync(start)) throw new Error(`${file} is not there`);
  visit(start);
  return found;
}
