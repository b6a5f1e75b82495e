import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import type { HighlightJob, HighlightResult } from './highlight-job.ts';

/**
 * Highlights code in a worker, so a grammar never blocks the page while text streams in. It returns pieces of text and
 * the kind of each; the page defines the colours.
 */
const languages = {
  bash: () => import('shiki/langs/shellscript.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};
type Language = keyof typeof languages;

const prefix = '--code-';
const theme = createCssVariablesTheme({ name: 'page', variablePrefix: prefix });
// By default a variable before a dot has another colour, and a type looks like a function. Editors do neither.
theme.tokenColors = [
  ...(theme.tokenColors ?? []),
  {
    scope: ['variable.other.object', 'variable.other.constant', 'variable.other.class', 'support.variable'],
    settings: { foreground: `var(${prefix}foreground)` },
  },
  {
    scope: ['entity.name.type', 'entity.other.inherited-class', 'support.type', 'support.class'],
    settings: { foreground: `var(${prefix}token-type)` },
  },
];
let core: Promise<HighlighterCore> | undefined;
const loading = new Map<Language, Promise<void>>();

async function ready(language: Language): Promise<HighlighterCore> {
  core ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const highlighter = await core;
  const load = loading.get(language) ?? highlighter.loadLanguage(languages[language]());
  loading.set(language, load);
  await load;
  return highlighter;
}

/** `var(--code-token-keyword)` is the kind `keyword`; plain text has none. */
function kindOf(color: string | undefined): string {
  const name = /^var\(--code-(?:token-)?([a-z-]+)\)$/.exec(color ?? '')?.[1] ?? '';
  return name === 'foreground' ? '' : name;
}

async function colour({ id, code, language }: HighlightJob): Promise<HighlightResult> {
  const highlighter = await ready(language as Language);
  const lines = highlighter.codeToTokensBase(code, {
    lang: language,
    theme: 'page',
    tokenizeMaxLineLength: 2000,
    // No time limit per line: giving up on one would affect all later ones. A caller that waits too long ends the
    // worker.
    tokenizeTimeLimit: 0,
  });
  return { id, lines: lines.map((line) => line.map((token) => [token.content, kindOf(token.color)] as const)) };
}

addEventListener('message', (event: MessageEvent<HighlightJob>) => {
  colour(event.data).then(
    (result) => postMessage(result),
    () => postMessage({ id: event.data.id, lines: null } satisfies HighlightResult),
  );
});
