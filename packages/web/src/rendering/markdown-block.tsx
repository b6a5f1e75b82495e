import { Component, memo, type ReactNode } from 'react';
import { Streamdown, type Components } from 'streamdown';
import { GrowingContext } from './code/code-block.tsx';
import { LongText, longTextLimit } from './long-text.tsx';
import { isReadable, isProse } from './markdown-blocks.ts';
import { Anchor, Cell, HeadCell, InlineCode, Picture, Pre, Table } from './markdown-elements.tsx';
import { Footnote } from './rich/footnote.tsx';
import { FormulaBlock } from './rich/formula.tsx';
import { markFormulas } from './rich/inline-marks.ts';
import { formulaOf, readNote } from './rich/rich-blocks.ts';
import { showControls } from '@liminal/domain/text/visible-text';

const plainTags = [
  'blockquote',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'li',
  'ol',
  'p',
  'section',
  'strong',
  'sub',
  'sup',
  'tbody',
  'thead',
  'tr',
  'ul',
] as const;

/** Our own elements: the library's styles, menus and download buttons aren't wanted. */
const components: Components = {
  ...(Object.fromEntries(plainTags.map((tag) => [tag, tag])) as Components),
  a: Anchor as never,
  code: InlineCode as never,
  img: Picture as never,
  pre: Pre as never,
  table: Table as never,
  td: Cell as never,
  th: HeadCell as never,
};

// Raw HTML is shown as text: without a plugin that parses it, it never becomes an element.
const noPlugins: [] = [];
const asOneBlock = (text: string): string[] => [text];

type BlockProps = { readonly text: string; readonly growing: boolean };

/** A finished block is never redrawn. */
export const Block = memo(({ text, growing }: BlockProps): ReactNode => {
  const note = readNote(text);
  if (note !== null)
    return (
      <Footnote label={note.label}>
        <Block text={note.text} growing={growing} />
      </Footnote>
    );
  if (!isReadable(text, longTextLimit)) return <PlainBlock text={text} />;
  if (isProse(text)) return <ProseBlock text={text} />;
  const formula = growing ? null : formulaOf(text);
  return formula === null ? (
    <ParsedBlock text={text} growing={growing} />
  ) : (
    <div className="markdown-block">
      <FormulaBlock tex={formula} />
    </div>
  );
});

/** Renders prose like the parser, but without it: the parser takes a millisecond for every few words. */
export const ProseBlock = ({ text }: { readonly text: string }): ReactNode => (
  <div className="markdown-block">
    <p dir="auto">{showControls(text.trimEnd())}</p>
  </div>
);

/**
 * Only the last block of a growing text gets its unclosed markup completed. Over the whole text, that would cost
 * milliseconds per token.
 */
export function ParsedBlock({ text, growing }: BlockProps): ReactNode {
  return (
    <Unreadable text={text}>
      <GrowingContext value={growing}>
        <Streamdown
          className="markdown-block"
          components={components}
          rehypePlugins={noPlugins}
          parseMarkdownIntoBlocksFn={asOneBlock}
          parseIncompleteMarkdown={growing}
          isAnimating={growing}
          controls={false}
          dir="auto"
        >
          {markFormulas(showControls(text))}
        </Streamdown>
      </GrowingContext>
    </Unreadable>
  );
}

const PlainBlock = ({ text }: { readonly text: string }): ReactNode => (
  <p className="markdown-block markdown-plain" dir="auto">
    <LongText text={showControls(text)} />
  </p>
);

type UnreadableProps = { readonly text: string; readonly children: ReactNode };

/** A block the parser fails on is shown as plain text, so it never breaks the page. */
class Unreadable extends Component<UnreadableProps, { readonly text: string; readonly failed: boolean }> {
  override state = { text: this.props.text, failed: false };
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  static getDerivedStateFromProps({ text }: UnreadableProps, state: { readonly text: string }) {
    // The text has grown, so it may parse now.
    return text === state.text ? null : { text, failed: false };
  }
  override render(): ReactNode {
    return this.state.failed ? <PlainBlock text={this.props.text} /> : this.props.children;
  }
}
