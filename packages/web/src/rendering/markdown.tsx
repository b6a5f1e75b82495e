import { Component, memo, useMemo, useRef, useState, type ReactNode } from 'react';
import { Streamdown, type Components } from 'streamdown';
import { GrowingContext } from './code-block.tsx';
import { LongText, longTextLimit } from './long-text.tsx';
import { groupSize, guessHeight, isReadable, sameBlocks } from './markdown-blocks.ts';
import { Anchor, Picture, Pre, Table } from './markdown-elements.tsx';
import { MarkdownReader } from './markdown-reader.ts';
import { useNear } from './use-near.ts';
import { showControls } from './visible-text.ts';
import './markdown.css';

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
  'td',
  'th',
  'thead',
  'tr',
  'ul',
  'code',
] as const;

/** Our own elements for everything: the library's styles, menus and download buttons are not wanted. */
const components: Components = {
  ...(Object.fromEntries(plainTags.map((tag) => [tag, tag])) as Components),
  a: Anchor as never,
  img: Picture as never,
  pre: Pre as never,
  table: Table as never,
};

// Raw HTML is shown as text: with no plugin that parses it, it never becomes an element.
const noPlugins: [] = [];
const asOneBlock = (text: string): string[] => [text];

type BlockProps = { readonly text: string; readonly growing: boolean };

/**
 * A settled block is never drawn again. Only the last one of a growing text is mended where its markup is not closed
 * yet, which over the whole text would cost milliseconds per token.
 */
const Block = memo(({ text, growing }: BlockProps) => {
  if (!isReadable(text, longTextLimit)) return <PlainBlock text={text} />;
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
          {showControls(text)}
        </Streamdown>
      </GrowingContext>
    </Unreadable>
  );
});

const PlainBlock = ({ text }: { readonly text: string }): ReactNode => (
  <p className="markdown-block markdown-plain" dir="auto">
    <LongText text={showControls(text)} />
  </p>
);

type UnreadableProps = { readonly text: string; readonly children: ReactNode };

/** What the parser stumbles over is shown as it came; one bad block never takes the page with it. */
class Unreadable extends Component<UnreadableProps, { readonly text: string; readonly failed: boolean }> {
  override state = { text: this.props.text, failed: false };
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  static getDerivedStateFromProps({ text }: UnreadableProps, state: { readonly text: string }) {
    // The text has grown: what could not be read may make sense now.
    return text === state.text ? null : { text, failed: false };
  }
  override render(): ReactNode {
    return this.state.failed ? <PlainBlock text={this.props.text} /> : this.props.children;
  }
}

type GroupProps = { readonly blocks: readonly string[]; readonly growing: boolean; readonly isLong: boolean };

/** Some blocks of a text. Those of a long one are drawn when one comes near them, and skipped while out of sight. */
const Group = memo(
  ({ blocks, growing, isLong }: GroupProps) => {
    const place = useRef<HTMLDivElement>(null);
    const height = isLong ? guessHeight(blocks.join('\n')) : 0;
    const isNear = useNear(place, isLong && !growing);
    return (
      <div
        ref={place}
        className={isLong && !growing ? 'markdown-group markdown-group-long' : 'markdown-group'}
        style={isNear ? { containIntrinsicBlockSize: `auto ${height}px` } : { blockSize: height }}
      >
        {isNear &&
          blocks.map((block, index) => (
            <Block key={index} text={block} growing={growing && index === blocks.length - 1} />
          ))}
      </div>
    );
  },
  (a, b) => a.growing === b.growing && a.isLong === b.isLong && sameBlocks(a.blocks, b.blocks),
);

/** Agent text as markdown: untrusted, so no HTML, no foreign request, and links that show where they go. */
export function Markdown({ text, growing = false }: { readonly text: string; readonly growing?: boolean }): ReactNode {
  const [reader] = useState(() => new MarkdownReader());
  const groups = useMemo(() => reader.read(text, growing), [reader, text, growing]);
  const isLong = groups.length * groupSize > 64;
  return (
    <div className="markdown">
      {groups.map((blocks, index) => (
        <Group key={index} blocks={blocks} growing={growing && index === groups.length - 1} isLong={isLong} />
      ))}
    </div>
  );
}
