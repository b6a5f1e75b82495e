/** Folders whose name begins a path in the documents; `packages/` and `src/` are left out there. */
const roots = ['packages', 'docs', 'e2e', 'bench', 'scripts', 'contracts', 'domain', 'server', 'web', 'stand-ins'];

/** A file of ours by its name alone, or at the end of a path; `x.test.ts` stands for any name. */
const fileName = /(?:^|\/)(?!x[.-])[\w.-]+\.(?:tsx?|mjs|css|md)$/;

/** The paths of this repository that a document names in code spans; what a build makes is not in it. */
export function pathsNamedIn(markdown: string): string[] {
  const spans = markdown.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g);
  return [...spans]
    .flatMap(([, span]) => (span === undefined ? [] : [span]))
    .filter((span) => /^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(span))
    .filter((span) => fileName.test(span) || (span.includes('/') && roots.includes(span.split('/')[0] ?? '')))
    .filter((span) => !/(?:^|\/)(?:x[.-]|dist\/)/.test(span));
}

const inShort = (path: string): string => `/${path}`.replaceAll(/\/(?:packages|src)(?=\/|$)/g, '');

/** Says of a path whether a file or a folder ends so. Suites of tests are also named without the ending of their file. */
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

/** The targets of links within the repository, without the part of the page. */
export function linksIn(markdown: string): string[] {
  return [...markdown.matchAll(/\]\(([^)\s#]+)/g)].flatMap(([, target]) =>
    target === undefined || /^[a-z]+:/.test(target) ? [] : [target],
  );
}
