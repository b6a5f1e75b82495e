import type { Step, ToolWish } from './steps.ts';

/** Everything the model does for one prompt: one entry per model call of the turn. */
export type Script = readonly (readonly Step[])[];

const directiveLine = /^\s*@(\+?)([a-z-]+!?)(?:\s+(.*))?$/;

/** Parses a prompt as a script; undefined when it has no directive and is an ordinary sentence. */
export function parseScript(prompt: string): Script | undefined {
  const rounds: Step[][] = [[]];
  let directives = 0;
  for (const line of prompt.split(/\r?\n/)) {
    const found = directiveLine.exec(line);
    const read = found && readers[found[2] ?? ''];
    if (!found || !read) continue;
    directives += 1;
    const step = read((found[3] ?? '').trim());
    const joins = found[1] === '+' && step.kind === 'call';
    const round = rounds.at(-1);
    if (round && !endsRound(round.at(-1), joins)) round.push(step);
    else rounds.push([step]);
  }
  return directives === 0 ? undefined : rounds;
}

/** A tool call or a spent token budget ends the model call; only a call marked "+" shares it with the one before. */
function endsRound(last: Step | undefined, joins: boolean): boolean {
  return last?.kind === 'max-tokens' || (last?.kind === 'call' && !joins);
}

// Only these names are directives: "@src/main.ts" or "@alice" stay prose.
const readers: Readonly<Record<string, ((argument: string) => Step) | undefined>> = {
  text: (argument) => ({ kind: 'say', voice: 'text', pieces: splitWords(unescape(argument)) }),
  think: (argument) => ({ kind: 'say', voice: 'thinking', pieces: splitWords(unescape(argument)) }),
  slow: (argument) => {
    const [count, gapMs] = numbers(argument, 20, 100);
    return { kind: 'say', voice: 'text', pieces: numberedWords(count), gapMs };
  },
  words: (argument) => {
    const [count, perSecond] = numbers(argument, 100, 0);
    return { kind: 'say', voice: 'text', pieces: numberedWords(count), gapMs: gapOf(perSecond) };
  },
  chars: (argument) => {
    const [count, perSecond] = numbers(argument, 100, 0);
    return { kind: 'say', voice: 'text', pieces: runOfCharacters(count), gapMs: gapOf(perSecond) * charactersPerPiece };
  },
  shell: (argument) => call({ tool: 'shell', command: argument }),
  'shell!': (argument) => call({ tool: 'shell', command: argument, escalated: true }),
  bash: (argument) => call({ tool: 'shell', command: argument }),
  background: (argument) => call({ tool: 'shell', command: argument, background: true }),
  patch: writeFile,
  write: writeFile,
  edit: (argument) => {
    const [path = '', before = '', after = ''] = argument.split('|');
    return call({ tool: 'edit', path, before: unescape(before), after: unescape(after) });
  },
  plan: (argument) => call({ tool: 'plan', entries: parts(argument, ';') }),
  task: (argument) => call({ tool: 'task', prompt: unescape(argument), background: false }),
  'background-task': (argument) => call({ tool: 'task', prompt: unescape(argument), background: true }),
  ask: (argument) => call({ tool: 'ask', questions: readQuestions(argument) }),
  exitplan: (argument) => call({ tool: 'exit-plan', plan: unescape(argument) }),
  tool: (argument) => {
    const [, namespace, name = 'unknown', input = ''] = /^(?:([^/\s]+)\/)?(\S+)\s*(.*)$/s.exec(argument) ?? [];
    return call({ tool: 'named', name, input, ...(namespace ? { namespace } : {}) });
  },
  usage: (argument) => {
    const [input, output, cacheRead, cacheWrite] = numbers(argument, 0, 0, 0, 0);
    return { kind: 'usage', usage: { input, output, cacheRead, cacheWrite } };
  },
  maxtokens: () => ({ kind: 'max-tokens' }),
  hang: () => ({ kind: 'hang' }),
  drop: (argument) => ({ kind: 'drop', ...times(argument) }),
  error: (argument) => {
    const [, status = '500', tries = '', message = ''] = /^(\d+)(?:\*(\d+))?\s*(.*)$/s.exec(argument) ?? [];
    return { kind: 'error', status: Number(status), message: message || 'scripted error', ...times(tries) };
  },
  fail: (argument) => {
    const [, code = 'server_error', message = ''] = /^(\S+)\s*(.*)$/s.exec(argument) ?? [];
    return { kind: 'fail', code, message: message || 'scripted failure' };
  },
};

const charactersPerPiece = 16;
const wordsPerParagraph = 100;

/** Splits a text into the pieces a model would stream: each word with the whitespace before it. */
export function splitWords(text: string): string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text ? [text] : []);
}

// Numbered, so a test shows which word was lost, duplicated or out of order.
function numberedWords(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const last = index + 1 === count;
    return `w${index + 1}${last ? '' : (index + 1) % wordsPerParagraph === 0 ? '\n\n' : ' '}`;
  });
}

function runOfCharacters(count: number): string[] {
  const alphabet = 'abcdefghijklmnop';
  return Array.from({ length: Math.ceil(count / charactersPerPiece) }, (_, index) =>
    alphabet.slice(0, Math.min(charactersPerPiece, count - index * charactersPerPiece)),
  );
}

function writeFile(argument: string): Step {
  const [path = '', ...content] = argument.split('|');
  return call({ tool: 'write', path, content: unescape(content.join('|')) });
}

/** Accepts JSON, or "Which colour?|Red|Blue" for one question. */
function readQuestions(argument: string): readonly unknown[] {
  if (/^[[{]/.test(argument)) {
    const value: unknown = JSON.parse(argument);
    if (Array.isArray(value)) return value;
    if (typeof value === 'object' && value !== null && 'questions' in value && Array.isArray(value.questions))
      return value.questions;
    return [value];
  }
  const [question = '', ...labels] = parts(argument, '|');
  const options = labels.map((label) => ({ label, description: label }));
  return [{ question, header: 'Question', multiSelect: false, options }];
}

const call = (wish: ToolWish): Step => ({ kind: 'call', wish });
const unescape = (text: string): string => text.replaceAll('\\n', '\n');
const parts = (text: string, separator: string): string[] => text.split(separator).flatMap((part) => part.trim() || []);
const gapOf = (perSecond: number): number => (perSecond > 0 ? 1000 / perSecond : 0);
const times = (text: string): { tries?: number } => (Number(text) > 0 ? { tries: Number(text) } : {});

function numbers<Defaults extends number[]>(argument: string, ...defaults: Defaults): Defaults {
  const given = argument.split(/\s+/).map(Number);
  return defaults.map((value, index) => {
    const number = given[index];
    return number !== undefined && Number.isFinite(number) && number > 0 ? number : value;
  }) as Defaults;
}
