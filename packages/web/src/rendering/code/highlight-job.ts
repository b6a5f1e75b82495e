/** A piece of a line and its kind: `keyword`, `string`, … or none. */
export type CodeToken = readonly [text: string, kind: string];
export type CodeLines = ReadonlyArray<readonly CodeToken[]>;

export type HighlightJob = { readonly id: number; readonly code: string; readonly language: string };
export type HighlightResult = { readonly id: number; readonly lines: CodeLines | null };

const names: Record<string, string> = {
  bash: 'bash',
  c: 'c',
  'c++': 'c',
  cjs: 'javascript',
  console: 'bash',
  cpp: 'c',
  css: 'css',
  diff: 'diff',
  docker: 'docker',
  dockerfile: 'docker',
  go: 'go',
  golang: 'go',
  h: 'c',
  html: 'html',
  java: 'java',
  javascript: 'javascript',
  js: 'javascript',
  json: 'json',
  json5: 'json',
  jsonc: 'json',
  jsx: 'jsx',
  mjs: 'javascript',
  mts: 'typescript',
  patch: 'diff',
  postgresql: 'sql',
  py: 'python',
  python: 'python',
  rs: 'rust',
  rust: 'rust',
  scss: 'css',
  sh: 'bash',
  shell: 'bash',
  shellscript: 'bash',
  sql: 'sql',
  svelte: 'html',
  svg: 'html',
  toml: 'toml',
  ts: 'typescript',
  tsx: 'tsx',
  typescript: 'typescript',
  vue: 'html',
  xml: 'html',
  yaml: 'yaml',
  yml: 'yaml',
  zsh: 'bash',
};

/** The grammar for a language name or a file extension; undefined if we have none. */
export const languageOf = (name: string): string | undefined => {
  const key = name.toLowerCase();
  return Object.hasOwn(names, key) ? names[key] : undefined;
};
