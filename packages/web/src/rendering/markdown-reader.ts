import { Lexer, Tokenizer, type Token, type Tokens } from 'marked';
import { cutList, groupsOf, groupSize, isDeep } from './markdown-blocks.ts';
import { labelOf, labelsIn, LinkDefinitions } from './link-definitions.ts';
import { markNotes } from './rich/inline-marks.ts';
import { isInterrupted, noteOf, richExtensions, writeNote } from './rich/rich-blocks.ts';

/** A block of a text; `isProse` if it may contain link references; `note` is the label of a footnote. */
type Block = { readonly source: string; readonly isProse: boolean; readonly note?: string };

/** After these the next line always starts a new block; after others it may continue them. */
const closing = new Set(['space', 'heading', 'hr', 'html', 'def', 'formula']);

const endsItself = (token: Token): boolean =>
  closing.has(token.type) || (token.type === 'code' && (token as Tokens.Code).codeBlockStyle !== 'indented');

/** Normalises line endings without changing the length: blocks are sliced from the text itself. */
const withOneLineEnd = (text: string): string =>
  text.includes('\r') ? text.replaceAll('\r\n', ' \n').replaceAll('\r', '\n') : text;

/** Splits by empty lines, if lexing the text would take too long, or fails. */
const cutPlainly = (text: string): Token[] =>
  text
    .split(/(\n{2,})/)
    .filter((piece) => piece !== '')
    .map((raw) => ({ type: raw.trim() === '' ? 'space' : 'paragraph', raw }));

/**
 * Underlined headings don't reach across a formula or a footnote: once those are finished, a later line of `===` must
 * not turn them into a heading.
 */
class RichTokenizer extends Tokenizer {
  override lheading(source: string): Tokens.Heading | undefined {
    const heading = super.lheading(source);
    return heading !== undefined && isInterrupted(heading.raw) ? undefined : heading;
  }
}

/** Joins paragraphs without an empty line between them: whether the lexer does depends on much later text. */
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
 * How many tokens no later text can change: those before the second to last start of a block, because the block being
 * written may still join the one before it.
 */
function settledCount(tokens: readonly Token[]): number {
  const starts = tokens.flatMap((token, index) => {
    const before = tokens[index - 1];
    return token.type !== 'space' && (before === undefined || endsItself(before)) ? [index] : [];
  });
  return starts.at(-2) ?? 0;
}

/** A slice keeps its source string in memory, so blocks from different times would each keep their own text. */
const detached = (slice: string): string => ` ${slice}`.slice(1);

/** A footnote inside a list or a quote is shown as written: the parser would treat it as one of its own. */
const footnote = /^( {0,3})\[\^(?=[^\]\s]+\]:)/gm;

/** A complete text is read in pieces of this many characters, as if it had grown. */
const stride = 60_000;

/**
 * Splits a markdown text into blocks that are drawn separately, in groups. A text that grows at its end is read on from
 * its last finished block: only the last blocks cost time, and finished groups stay identical.
 */
export class MarkdownReader {
  #text = '';
  /** Later text can't change anything up to here. */
  #settledTo = 0;
  #settled: Block[] = [];
  #settledGroups: (readonly string[])[] = [];
  #definitions = new LinkDefinitions();
  #named = new Set<string>();
  #settledNotes = new Set<string>();
  /** Includes those at the unfinished end, which may still become something else. */
  #notes: ReadonlySet<string> = new Set<string>();

  read(text: string, growing: boolean): readonly (readonly string[])[] {
    // The only step that checks the whole text: 0.4 ms per frame at a hundred thousand words, and always correct.
    if (!text.startsWith(this.#text)) this.#startAnew();
    let readTo = this.#text.length;
    let open: readonly Block[] = [];
    do {
      // An unfinished part is read again with twice as much, so the total is at most twice the length.
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

  /** Reads the unfinished part, stores the finished blocks in it, and returns the rest. */
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
    // A definition may follow its references: everything is then redrawn with the link.
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
      // A line such as `[WARN]: disk` is a link definition, too. It is hidden only if something refers to it.
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
