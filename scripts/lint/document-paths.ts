/** Folder names that start a path in the documents, which leave out `packages/` and `src/`. */
const roots = ['packages', 'docs', 'e2e', 'bench', 'scripts', 'contracts', 'domain', 'server', 'web', 'stand-ins'];

/** A file of ours by its name alone, or at the end of a path. `x.test.ts` stands for any name. */
const fileName = /(?:^|\/)(?!x[.-])[\w.-]+\.(?:tsx?|mjs|css|md)$/;

/** The repository paths that a document names in code spans, except build results. */
export function pathsNamedIn(markdown: string): string[] {
  const spans = markdown.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g);
  return [...spans]
    .flatMap(([, span]) => (span === undefined ? [] : [span]))
    .filter((span) => /^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(span))
    .filter((span) => fileName.test(span) || (span.includes('/') && roots.includes(span.split('/')[0] ?? '')))
    .filter((span) => !/(?:^|\/)(?:x[.-]|dist\/)/.test(span));
}

const inShort = (path: string): string => `/${path}`.replaceAll(/\/(?:packages|src)(?=\/|$)/g, '');

/** Whether a file or folder path ends with this. Test suites can also be named without their extension. */
export function pathFinder(files: readonly string[]): (named: string) => boolean {
  const known = files.map(inShort);
  return (named) => {
    const wanted = inShort(named).replace(/\/$/, '');
    return known.some((path) => {
      const at = path.indexOf(wanted);
      return at >= 0 && ['', '/', '.'].includes(path.charAt(at + wanted.length));
    });
  };
}

/** The link targets within the repository, without the fragment. */
export function linksIn(markdown: string): string[] {
  return [...markdown.matchAll(/\]\(([^)\s#]+)/g)].flatMap(([, target]) =>
    target === undefined || /^[a-z]+:/.test(target) ? [] : [target],
  );
}
