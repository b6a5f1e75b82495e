import { Lexer, Tokenizer, type Token, type Tokens } from 'marked';
import { cutList, groupsOf, groupSize, isDeep } from './markdown-blocks.ts';
import { labelOf, labelsIn, LinkDefinitions } from './link-definitions.ts';
import { markNotes } from './rich/inline-marks.ts';
import { isInterrupted, noteOf, richExtensions, writeNote } from './rich/rich-blocks.ts';

/** Something a text is made of; `isProse` where names of links mean links; `note` is the label of a footnote. */
type Block = { readonly source: string; readonly isProse: boolean; readonly note?: string };

/** After these the next line begins something of its own; after the others it may still belong to them. */
const closing = new Set(['space', 'heading', 'hr', 'html', 'def', 'formula']);

const endsItself = (token: Token): boolean =>
  closing.has(token.type) || (token.type === 'code' && (token as Tokens.Code).codeBlockStyle !== 'indented');

/** Line ends as the lexer knows them, without moving anything: what it finds is cut out of the text itself. */
const withOneLineEnd = (text: string): string =>
  text.includes('\r') ? text.replaceAll('\r\n', ' \n').replaceAll('\r', '\n') : text;

/** By empty lines: where a real reading of the text would take too long, or fails. */
const cutPlainly = (text: string): Token[] =>
  text
    .split(/(\n{2,})/)
    .filter((piece) => piece !== '')
    .map((raw) => ({ type: raw.trim() === '' ? 'space' : 'paragraph', raw }));

/**
 * Underlined headings don't reach across a formula or a footnote: once those are settled, a line of `===` further down
 * must not turn them into a heading.
 */
class RichTokenizer extends Tokenizer {
  override lheading(source: string): Tokens.Heading | undefined {
    const heading = super.lheading(source);
    return heading !== undefined && isInterrupted(heading.raw) ? undefined : heading;
  }
}

/** Joins paragraphs without an empty line between them: whether the lexer does so depends on what follows much later. */
function joinParagraphs(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const before = joined.at(-1);
    if (token.type === 'paragraph' && before?.type === 'paragraph')
      joined.splice(-1, 1, { type: 'paragraph', raw: before.raw + token.raw });
    else joined.push(token);
  }
  return joined;
}

function lex(text: string): Token[] {
  const source = withOneLineEnd(text);
  if (isDeep(source)) return cutPlainly(source);
  try {
    const tokens = new Lexer({ gfm: true, extensions: richExtensions, tokenizer: new RichTokenizer() }).blockTokens(
      source,
      [],
    );
    return lengthOf(tokens) === source.length ? joinParagraphs(tokens) : cutPlainly(source);
  } catch {
    return cutPlainly(source);
  }
}

const isDefinition = (token: Token): token is Tokens.Def =>
  token.type === 'def' && !(token as Tokens.Def).tag.startsWith('^');

const noteLabels = (tokens: readonly Token[]): string[] =>
  tokens.flatMap(({ type, raw }) => (type === 'note' ? [noteOf(raw).label] : []));

/** A long list is drawn in pieces, everything else as one block. */
const lengthsOf = (token: Token): readonly number[] =>
  token.type === 'list' ? cutList(token as Tokens.List) : [token.raw.length];

const lengthOf = (tokens: readonly Token[]): number => tokens.reduce((sum, { raw }) => sum + raw.length, 0);

/**
 * How many tokens are over, whatever is written next: those before the last but one place where something new begins,
 * because what is being written may yet join what is before it.
 */
function settledCount(tokens: readonly Token[]): number {
  const starts = tokens.flatMap((token, index) => {
    const before = tokens[index - 1];
    return token.type !== 'space' && (before === undefined || endsItself(before)) ? [index] : [];
  });
  return starts.at(-2) ?? 0;
}

/** A slice keeps the string it was cut from in memory: blocks drawn at different times would keep each its own text. */
const detached = (slice: string): string => ` ${slice}`.slice(1);

/** A footnote inside of a list or a quote is shown as it is written: the parser would take it for one of its own. */
const footnote = /^( {0,3})\[\^(?=[^\]\s]+\]:)/gm;

/** A text that is there at once is read in pieces of this many characters, as if it had grown. */
const stride = 60_000;

/**
 * Cuts a markdown text into blocks that are drawn on their own, in groups. A text that grows at its end is read on from
 * where it was settled: the cost is that of its last blocks, and settled groups stay the very same.
 */
export class MarkdownReader {
  #text = '';
  /** Up to here nothing that follows can change what was read. */
  #settledTo = 0;
  #settled: Block[] = [];
  #settledGroups: (readonly string[])[] = [];
  #definitions = new LinkDefinitions();
  #named = new Set<string>();
  #settledNotes = new Set<string>();
  /** Those of the end as well, which may yet turn out to be something else. */
  #notes: ReadonlySet<string> = new Set<string>();

  read(text: string, growing: boolean): readonly (readonly string[])[] {
    // The one thing that looks at the whole text: 0.4 ms a frame at a hundred thousand words, and always right.
    if (!text.startsWith(this.#text)) this.#startAnew();
    let readTo = this.#text.length;
    let open: readonly Block[] = [];
    do {
      // What cannot be settled is read again with twice as much, so the whole costs no more than twice its length.
      readTo = Math.min(text.length, readTo + Math.max(stride, readTo - this.#settledTo));
      open = this.#readOn(text.slice(this.#settledTo, readTo), growing || readTo < text.length);
    } while (readTo < text.length);
    this.#text = text;
    const unsettled = [...this.#settled.slice(this.#settledGroups.length * groupSize), ...open];
    return [...this.#settledGroups, ...groupsOf(unsettled.map((block) => this.#drawn(block)))];
  }

  #startAnew(): void {
    this.#text = '';
    this.#settledTo = 0;
    this.#settled = [];
    this.#settledGroups = [];
    this.#definitions = new LinkDefinitions();
    this.#named = new Set();
    this.#settledNotes = new Set();
    this.#notes = new Set();
  }

  /** Reads what is not settled, settles what is over in it, and answers the rest. */
  #readOn(tail: string, growing: boolean): Block[] {
    const tokens = lex(tail);
    const defined = growing ? tokens.slice(0, -1) : tokens;
    const newLinks = defined.filter(isDefinition).filter((token) => this.#definitions.add(token));
    const cut = settledCount(tokens);
    for (const label of noteLabels(tokens.slice(0, cut))) this.#settledNotes.add(label);
    const notes = this.#settledNotes.union(new Set(noteLabels(tokens)));
    const areOtherNotes = notes.symmetricDifference(this.#notes).size > 0;
    this.#notes = notes;
    for (const block of this.#blocksOf(tail, tokens.slice(0, cut))) {
      this.#settled.push(block);
      if (block.isProse) for (const label of labelsIn(block.source)) this.#named.add(label);
    }
    const length = lengthOf(tokens.slice(0, cut));
    this.#settledTo += length;
    // A definition may be after what refers to it: all of it is drawn with the link then.
    if (newLinks.length > 0 || areOtherNotes) this.#settledGroups = [];
    for (let from = this.#settledGroups.length * groupSize; from + groupSize <= this.#settled.length; from += groupSize)
      this.#settledGroups.push(this.#settled.slice(from, from + groupSize).map((block) => this.#drawn(block)));
    return this.#blocksOf(tail.slice(length), tokens.slice(cut));
  }

  #blocksOf(text: string, tokens: readonly Token[]): Block[] {
    const blocks: Block[] = [];
    let at = 0;
    for (const [token, length] of tokens.flatMap((each) => lengthsOf(each).map((part) => [each, part] as const))) {
      const source = detached(text.slice(at, (at += length)));
      if (token.type === 'space') continue;
      if (token.type === 'note') {
        const { label, text: said } = noteOf(source);
        blocks.push({ source: said, isProse: true, note: label });
        continue;
      }
      const isProse = token.type !== 'code' && token.type !== 'html' && token.type !== 'formula';
      if (!isDefinition(token)) blocks.push({ source: isProse ? source.replace(footnote, '$1\\[^') : source, isProse });
      // A line like `[WARN]: disk` defines a link, too. It is hidden only where something named it.
      else if (!this.#isNamed(token, blocks)) blocks.push({ source: `\\${source.trimStart()}`, isProse: false });
    }
    return blocks;
  }

  #isNamed({ tag }: Tokens.Def, before: readonly Block[]): boolean {
    const label = labelOf(tag);
    return this.#named.has(label) || before.some(({ source, isProse }) => isProse && labelsIn(source).includes(label));
  }

  #drawn({ source, isProse, note }: Block): string {
    if (!isProse) return source;
    const marked = this.#notes.size === 0 ? source : markNotes(source, (label) => this.#notes.has(label));
    const drawn = this.#definitions.attachTo(marked);
    return note === undefined ? drawn : writeNote(note, drawn);
  }
}
